package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// GateOutput is the answer of an open gate.
type GateOutput struct {
	OK     bool   `json:"ok"`
	TaskID string `json:"taskId"`
	// ACs counts the criteria, all of them covered.
	ACs int `json:"acs"`
}

// Gate is the coverage gate: it answers when every criterion of the task has a binding that counts, and is otherwise an
// error with [contracts.CodeCoverageIncomplete] or [contracts.CodeCoverageStale] whose details list the uncovered ones.
func (s *Service) Gate(ctx context.Context, taskID string) (GateOutput, error) {
	if err := contracts.CheckTaskID(taskID); err != nil {
		return GateOutput{}, err
	}
	coverage, err := s.store.Coverage(ctx, taskID)
	if err != nil {
		return GateOutput{}, err
	}
	unsatisfied, err := s.uncovered(ctx, coverage)
	if err != nil {
		return GateOutput{}, err
	}
	if s.open(coverage, unsatisfied) {
		return GateOutput{OK: true, TaskID: taskID, ACs: len(coverage.Task.ACs)}, nil
	}
	return GateOutput{}, gateError(taskID, unsatisfied, nil)
}

// open says whether nothing keeps the gate shut.
func (s *Service) open(c store.Coverage, unsatisfied []contracts.UncoveredAC) bool {
	return len(unsatisfied) == 0 && (len(c.Task.ACs) > 0 || s.opts.Require == RequireAny)
}

// uncovered applies the policy, asking git once per attested commit.
func (s *Service) uncovered(ctx context.Context, c store.Coverage) ([]contracts.UncoveredAC, error) {
	known := map[string]bool{}
	return uncovered(c, s.opts.Require, func(attested contracts.Subject) (bool, error) {
		if ok, asked := known[attested.Commit]; asked {
			return ok, nil
		}
		ok, err := s.contained(ctx, attested)
		if err != nil {
			return false, fmt.Errorf("placing the attested commit in the history: %w", err)
		}
		known[attested.Commit] = ok
		return ok, nil
	})
}

// contained reports whether the attested commit is part of the commit being completed: the same, an ancestor, or another
// commit with the very same tree. Without git, or for a verdict that was given without it, there is nothing to compare.
func (s *Service) contained(ctx context.Context, attested contracts.Subject) (bool, error) {
	current, err := s.currentSubject(ctx)
	if err != nil {
		return false, err
	}
	if current.Commit == "" || attested.Commit == "" {
		return true, nil
	}
	if current.Commit == attested.Commit || current.Tree == attested.Tree {
		return true, nil
	}
	return s.opts.Repository.Reachable(ctx, attested.Commit, current.Commit)
}

// gateError is the refusal of gate and completion, in the shape that CLEO's own gate prints.
func gateError(taskID string, unsatisfied []contracts.UncoveredAC, unresolvedTokens []string) error {
	code, message := describe(taskID, unsatisfied)
	if len(unsatisfied) == 0 && len(unresolvedTokens) > 0 {
		message = fmt.Sprintf("%s: no such acceptance criterion to waive: %s", taskID, strings.Join(unresolvedTokens, ", "))
	}
	return contracts.Errorf(code, "%s", message).
		WithDetail("unsatisfied", orEmpty(unsatisfied)).
		WithDetail("unresolvedTokens", orEmpty(unresolvedTokens)).
		WithFix("have a Validator attest %s (cleo-validator run %s), or waive with --waive-ac and --waive-reason", taskID, taskID)
}

func describe(taskID string, unsatisfied []contracts.UncoveredAC) (contracts.Code, string) {
	if len(unsatisfied) == 0 {
		return contracts.CodeCoverageIncomplete, taskID + " has no acceptance criteria, so nothing was judged"
	}
	code := contracts.CodeCoverageStale
	names := make([]string, 0, len(unsatisfied))
	for _, ac := range unsatisfied {
		name := ac.Alias
		if ac.Reason == "" {
			code = contracts.CodeCoverageIncomplete
		} else {
			name += " (" + ac.Reason + ")"
		}
		names = append(names, name)
	}
	return code, fmt.Sprintf("%s is not covered: %s", taskID, strings.Join(names, ", "))
}

// orEmpty makes an absent list an empty JSON array.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
