package tools

import (
	"context"
	"errors"
	"strings"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// CompleteInput asks for a task to be completed.
type CompleteInput struct {
	TaskID string
	// Role is the caller's role; a validator or a worker may not use the owner override. Empty when not said.
	Role contracts.AgentRole
	// Actor names the caller in the audit lines.
	Actor string
	// Waive lists UUIDs or aliases of criteria, without regard to case. WaiveReason is then required.
	Waive       []string
	WaiveReason string
	// AllowStale is the reason for letting stale attestations count. Empty: they do not.
	AllowStale string
	// Override opens the gate in the owner's name. It works only together with a reason.
	Override       bool
	OverrideReason string
}

// CompleteOutput is the answer of a completion.
type CompleteOutput struct {
	OK     bool   `json:"ok"`
	TaskID string `json:"taskId"`
	Status string `json:"status"`
	// AlreadyDone says that the task was done before and nothing changed.
	AlreadyDone bool `json:"alreadyDone,omitzero"`
	// Via says what opened the gate: coverage, waiver, stale-allowed or override.
	Via string `json:"via,omitempty"`
	// Waived lists the criteria that were waived or let count although stale.
	Waived []contracts.UncoveredAC `json:"waived,omitempty"`
}

// What can open the gate.
const (
	viaCoverage     = "coverage"
	viaWaiver       = "waiver"
	viaStaleAllowed = "stale-allowed"
	viaOverride     = "override"
)

// Complete runs the gate and flips the task to done in one transaction. Lines for waivers and overrides are on disk
// before the status changes; when they cannot be written, completion is refused. A refusal by the gate is the error of
// [Service.Gate]. A task that is done already stays as it is, and the answer says so.
func (s *Service) Complete(ctx context.Context, in CompleteInput) (CompleteOutput, error) {
	if err := checkCompleteInput(in); err != nil {
		return CompleteOutput{}, err
	}
	out := CompleteOutput{OK: true, TaskID: in.TaskID, Status: "done"}
	alreadyDone, err := s.store.Complete(ctx, in.TaskID, func(c store.Coverage) error {
		via, waived, err := s.pass(ctx, in, c)
		out.Via, out.Waived = via, waived
		return err
	})
	if err != nil {
		return CompleteOutput{}, err
	}
	out.AlreadyDone = alreadyDone
	return out, nil
}

func checkCompleteInput(in CompleteInput) error {
	if err := contracts.CheckTaskID(in.TaskID); err != nil {
		return err
	}
	if len(in.Waive) > 0 && strings.TrimSpace(in.WaiveReason) == "" {
		return contracts.Errorf(contracts.CodeInvalidInput, "a waiver needs a reason").
			WithFix("say why with --waive-reason")
	}
	return nil
}

// pass says what opens the gate, after writing the audit line that must precede it; an error keeps it shut.
func (s *Service) pass(ctx context.Context, in CompleteInput, c store.Coverage) (via string, waived []contracts.UncoveredAC, err error) {
	unsatisfied, err := s.uncovered(ctx, c)
	if err != nil {
		return "", nil, err
	}
	if s.open(c, unsatisfied) {
		return viaCoverage, nil, nil
	}
	if in.Override && strings.TrimSpace(in.OverrideReason) != "" {
		return viaOverride, nil, s.override(ctx, in, unsatisfied)
	}
	stale, left, err := s.allowStale(ctx, in, unsatisfied)
	if err != nil {
		return "", nil, err
	}
	waived, left, unresolved, err := s.waive(ctx, in, c.Task, left)
	if err != nil {
		return "", nil, err
	}
	if len(unresolved) > 0 || !s.open(c, left) {
		return "", nil, gateError(in.TaskID, left, unresolved)
	}
	if len(in.Waive) > 0 {
		return viaWaiver, append(stale, waived...), nil
	}
	return viaStaleAllowed, stale, nil
}

// override records that the owner opened the gate, whatever is uncovered.
func (s *Service) override(ctx context.Context, in CompleteInput, unsatisfied []contracts.UncoveredAC) error {
	if in.Role == contracts.RoleValidator || in.Role == contracts.RoleWorker {
		return contracts.Errorf(contracts.CodeOverrideForbidden, "a %s may not override the gate", in.Role).
			WithFix("let the owner complete the task, or have a Validator attest it")
	}
	return auditFirst(s.opts.Audit.AppendOverride(ctx, audit.Override{
		Kind:        audit.OverrideACCoverage,
		Timestamp:   instant(s.opts.Now()),
		TaskID:      in.TaskID,
		Reason:      in.OverrideReason,
		Actor:       in.Actor,
		Unsatisfied: orEmpty(unsatisfied),
	}))
}

// auditFirst gives a failed audit line its code: the act that it must precede is then refused.
func auditFirst(err error) error {
	if err == nil {
		return nil
	}
	if _, coded := errors.AsType[*contracts.Error](err); coded {
		return err
	}
	return contracts.Errorf(contracts.CodeAuditUnavailable, "writing the audit line: %w", err).
		WithFix("make .cleo/audit writable, then complete again")
}
