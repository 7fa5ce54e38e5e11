package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// admitCaller is the first check of both verdict tools.
func (s *Service) admitCaller(caller contracts.Caller, projectRoot string) error {
	if caller.Role != contracts.RoleValidator {
		return contracts.Errorf(contracts.CodeAuthRole, "only a validator may ship a verdict, the caller's role is %q", caller.Role).
			WithFix("have an independent Validator ship the verdict; on the command line say --role validator")
	}
	return s.checkProject(projectRoot)
}

// parse checks an envelope that must be of the given kind.
func parse(envelope []byte, kind contracts.VerdictKind) (contracts.Verdict, error) {
	verdict, err := contracts.ParseVerdict(envelope)
	if err == nil && verdict.Kind() == kind {
		return verdict, nil
	}
	// The envelope is broken or of the other kind: the narrower parser words the refusal.
	if kind == contracts.VerdictAttest {
		_, err = contracts.ParseAttestation(envelope)
	} else {
		_, err = contracts.ParseRejection(envelope)
	}
	return contracts.Verdict{}, err
}

// record writes the verdict unless admit or the independence check refuses it inside the transaction.
func (s *Service) record(
	ctx context.Context, verdict contracts.Verdict, caller contracts.Caller, admit func(store.Task) error,
) (store.Receipt, error) {
	subject, err := s.currentSubject(ctx)
	if err != nil {
		return store.Receipt{}, fmt.Errorf("finding the commit that the verdict is about: %w", err)
	}
	return s.store.RecordVerdict(ctx, store.VerdictRecord{
		Verdict: verdict,
		Subject: subject,
		AgentID: caller.AgentID,
		Admit: func(task store.Task) error {
			if err := admit(task); err != nil {
				return err
			}
			return checkIndependent(task, caller.AgentID, verdict.ValidatorID())
		},
	})
}

// checkBelong refuses findings on criteria that the task does not have.
func checkBelong(task store.Task, findings []contracts.Finding) error {
	var strange []string
	for _, f := range findings {
		if !slices.ContainsFunc(task.ACs, func(ac store.AC) bool { return ac.ID == f.ACID }) {
			strange = append(strange, f.ACID)
		}
	}
	if len(strange) == 0 {
		return nil
	}
	return notFound(task, strange, "%s has no acceptance criterion %s", task.ID, strings.Join(strange, ", "))
}

// checkComplete refuses an attestation that leaves a criterion of the task out.
func checkComplete(task store.Task, findings []contracts.Finding) error {
	var missing []string
	for _, ac := range task.ACs {
		if !slices.ContainsFunc(findings, func(f contracts.Finding) bool { return f.ACID == ac.ID }) {
			missing = append(missing, ac.Alias())
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return contracts.Errorf(contracts.CodeAttestationInvalid, "the attestation has no finding for %s", strings.Join(missing, ", ")).
		WithDetail("missing", missing).
		WithFix("judge every criterion of %s that validator.ac-pull lists, or ship a rejection", task.ID)
}

// checkIndependent refuses a verdict by an agent that worked on the task (VAL-001).
func checkIndependent(task store.Task, ids ...string) error {
	for _, id := range ids {
		if id != "" && slices.Contains(task.Workers, id) {
			return contracts.Errorf(contracts.CodeNotIndependent, "%s worked on %s and cannot judge it", id, task.ID).
				WithFix("spawn another agent instance as the Validator")
		}
	}
	return nil
}

// refineEnvelopeError turns the refusal of an envelope into [contracts.CodeACNotFound] when all that is wrong with it is
// that aliases stand where UUIDs belong: the sender's mistake is then about the roster, and the answer names the UUIDs.
func (s *Service) refineEnvelopeError(ctx context.Context, envelope []byte, refusal error) error {
	taskID, aliases := aliasesOnly(envelope, refusal)
	if len(aliases) == 0 {
		return refusal
	}
	task, err := s.store.Task(ctx, taskID)
	if err != nil {
		return err
	}
	return notFound(task, aliases, "%s: an alias was sent where the criterion's UUID belongs", strings.Join(aliases, ", "))
}

// aliasesOnly returns the envelope's task and the aliases it uses as acId, or nothing when the refusal has other causes.
func aliasesOnly(envelope []byte, refusal error) (taskID string, aliases []string) {
	refused, ok := errors.AsType[*contracts.Error](refusal)
	if !ok {
		return "", nil
	}
	var loose struct {
		TaskID   string `json:"taskId"`
		Findings []struct {
			ACID string `json:"acId"`
		} `json:"findings"`
	}
	if err := json.Unmarshal(envelope, &loose); err != nil {
		return "", nil
	}
	aliasPaths := map[string]bool{}
	for i, f := range loose.Findings {
		if contracts.IsAlias(f.ACID) {
			aliases = append(aliases, f.ACID)
			aliasPaths[fmt.Sprintf("findings[%d].acId", i)] = true
		}
	}
	violations, _ := refused.Details["violations"].([]contracts.Violation)
	for _, v := range violations {
		if !aliasPaths[v.Path] {
			return "", nil
		}
	}
	return loose.TaskID, aliases
}

// notFound tells which criteria the task really has, so that the sender can mend its envelope.
func notFound(task store.Task, sent []string, format string, args ...any) error {
	roster := map[string]string{}
	for _, ac := range task.ACs {
		roster[ac.Alias()] = ac.ID
	}
	return contracts.Errorf(contracts.CodeACNotFound, format, args...).
		WithDetail("notFound", sent).
		WithDetail("roster", roster).
		WithFix("use the id that validator.ac-pull gives for each criterion of %s", task.ID)
}
