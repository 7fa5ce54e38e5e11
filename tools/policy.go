package tools

import (
	"fmt"
	"slices"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Require is the gate's policy: which bindings count.
type Require string

// The two policies of gate.require.
const (
	// RequireAny counts every binding, whoever wrote it. It is CLEO's own rule; a task without criteria passes.
	RequireAny Require = "any"
	// RequireValidator counts only bindings whose envelope we hold, by a Validator that is not the task's Worker. A task
	// without criteria is refused, since there is nothing that anybody could have judged.
	RequireValidator Require = "validator"
)

// ParseRequire returns the policy that s names, or an error with [contracts.CodeInvalidInput].
func ParseRequire(s string) (Require, error) {
	switch r := Require(s); r {
	case RequireAny, RequireValidator:
		return r, nil
	}
	return "", contracts.Errorf(contracts.CodeInvalidInput, "unknown gate policy %q", s).WithFix("use any or validator")
}

// history says whether a verdict given for subject still stands at the commit being completed.
type history func(subject contracts.Subject) (bool, error)

// uncovered returns the criteria of the task that no binding covers, in their order. A criterion all of whose bindings
// went stale carries the reason.
func uncovered(c store.Coverage, require Require, contained history) ([]contracts.UncoveredAC, error) {
	var out []contracts.UncoveredAC
	for _, ac := range c.Task.ACs {
		covered, reason, err := judge(c, ac, require, contained)
		if err != nil {
			return nil, err
		}
		if !covered {
			out = append(out, contracts.UncoveredAC{ACID: ac.ID, Alias: ac.Alias(), Text: ac.Text, Reason: reason})
		}
	}
	return out, nil
}

// judge says whether any binding of ac counts; when none does, reason is why the last stale one does not.
func judge(c store.Coverage, ac store.AC, require Require, contained history) (covered bool, reason string, err error) {
	for _, binding := range c.Bindings[ac.ID] {
		if !admissible(binding, c.Task.Workers, require) {
			continue
		}
		stale, err := staleness(binding.Attestation, c.LastRejection, ac, contained)
		if err != nil {
			return false, "", err
		}
		if stale == "" {
			return true, "", nil
		}
		reason = stale
	}
	return false, reason, nil
}

// admissible says whether a binding of this origin may count at all.
func admissible(b store.Binding, workers []string, require Require) bool {
	if require == RequireAny {
		return true
	}
	return b.Attestation != nil &&
		!slices.Contains(workers, b.Attestation.ValidatorID) &&
		!slices.Contains(workers, b.Attestation.AgentID)
}

// staleness returns why an attestation no longer counts, empty when it does. Rows whose envelope we do not hold (nil)
// carry neither commit nor text and are taken as they are.
func staleness(a *store.AttestedBy, rejection *store.VerdictInfo, ac store.AC, contained history) (string, error) {
	if a == nil {
		return "", nil
	}
	if a.ContentHash != ac.ContentHash {
		return fmt.Sprintf("the text of %s changed after %s attested it", ac.Alias(), a.ValidatorID), nil
	}
	if rejection != nil && rejection.Seq > a.Seq {
		return fmt.Sprintf("%s rejected the task after %s attested it", rejection.ValidatorID, a.ValidatorID), nil
	}
	ok, err := contained(a.Subject)
	if err != nil {
		return "", err
	}
	if !ok {
		return fmt.Sprintf("the attested commit %.12s is not part of the commit being completed", a.Subject.Commit), nil
	}
	return "", nil
}
