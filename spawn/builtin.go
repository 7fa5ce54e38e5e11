package spawn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

// RunBuiltin is the builtin Validator: it runs the machine check of every criterion now, one after the other, and returns
// the verdict that they come to. A criterion without a check is inconclusive. A check that cannot be evaluated is a
// [*contracts.Fault] that names the criterion; there is no verdict then. The end of ctx is returned as its cause.
//
// environ is the environment of the checks, less what belongs to the Validator alone.
func RunBuiltin(ctx context.Context, a Assignment, environ []string, now func() time.Time) (contracts.Verdict, error) {
	env := variables(environ)
	maps.DeleteFunc(env, func(name, _ string) bool { return slices.Contains(validatorVariables, name) })
	place := evidence.Site{
		Dir: a.Worktree, ProjectRoot: a.ProjectRoot, Head: a.Commit, Env: entries(env),
		Timeout: time.Duration(a.TimeoutMs) * time.Millisecond,
	}
	findings := make([]contracts.Finding, len(a.ACs))
	for i, ac := range a.ACs {
		finding, err := judge(ctx, place, ac)
		if err != nil {
			return contracts.Verdict{}, err
		}
		finding.CheckedAt = instant(now())
		findings[i] = finding
	}
	return conclude(a, findings, instant(now()))
}

// judge makes the finding on one criterion.
func judge(ctx context.Context, place evidence.Site, ac AssignedAC) (contracts.Finding, error) {
	finding := contracts.Finding{ACID: ac.ID, Status: contracts.StatusInconclusive}
	if ac.Check == nil {
		finding.Reasoning = "the criterion has no machine check, and the builtin Validator judges by nothing else"
		return finding, nil
	}
	result, err := evidence.RunCheck(ctx, place, *ac.Check)
	if err != nil {
		return contracts.Finding{}, unevaluated(ctx, ac, err)
	}
	finding.Status = contracts.StatusFail
	if result.OK {
		finding.Status = contracts.StatusPass
	}
	finding.Reasoning, finding.EvidenceRefs = reasoning(result), result.EvidenceRefs()
	return finding, nil
}

// unevaluated is the fault of a check that could not be evaluated. Trying a check again that is no check helps nobody, so
// that is as permanent as a missing program.
func unevaluated(ctx context.Context, ac AssignedAC, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	kind, message, detail := contracts.FaultToolNotResolved, err.Error(), map[string]any(nil)
	if fault, ok := errors.AsType[*contracts.Fault](err); ok {
		kind, message, detail = fault.Kind, fault.Message, fault.Detail
	}
	told := map[string]any{"acId": ac.ID, "alias": ac.Alias}
	maps.Copy(told, detail)
	return &contracts.Fault{Kind: kind, Message: ac.Alias + ": " + message, Detail: told}
}

// reasoning tells what ran, how it ended and the end of its output.
func reasoning(result evidence.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s", evidence.Atom{Kind: result.Kind, Payload: result.Payload}, result.Reason)
	if len(result.Argv) > 0 {
		fmt.Fprintf(&out, "\nran: %q\nexit code: %d", result.Argv, result.ExitCode)
	}
	if result.OutputTail != "" {
		fmt.Fprintf(&out, "\noutput ends:\n%s", result.OutputTail)
	}
	return out.String()
}

// conclude makes the envelope: an attestation when every finding is a pass, else a rejection.
func conclude(a Assignment, findings []contracts.Finding, at string) (contracts.Verdict, error) {
	var short, hints []string
	for i, f := range findings {
		if f.Status == contracts.StatusPass {
			continue
		}
		short = append(short, fmt.Sprintf("%s (%s)", a.ACs[i].Alias, f.Status))
		if f.Status == contracts.StatusInconclusive {
			hints = append(hints, fmt.Sprintf("give %s a machine check, or have it judged by another agent", a.ACs[i].Alias))
		}
	}
	if len(short) == 0 {
		return contracts.NewAttestation(contracts.Attestation{
			Verdict: contracts.VerdictAttest, TaskID: a.TaskID, ValidatorID: a.ValidatorID, Findings: findings,
			AttestedAt: at, SchemaVersion: contracts.SchemaVersion,
		})
	}
	return contracts.NewRejection(contracts.Rejection{
		Verdict: contracts.VerdictReject, TaskID: a.TaskID, ValidatorID: a.ValidatorID, Findings: findings,
		Summary:          fmt.Sprintf("%d of %d criteria do not pass: %s", len(short), len(findings), strings.Join(short, ", ")),
		RemediationHints: hints,
		RejectedAt:       at, SchemaVersion: contracts.SchemaVersion,
	})
}

// ServeBuiltin is the builtin Validator's process: it reads the assignment file and prints the verdict, or a fault report,
// as one line of JSON. An error says that it could do neither.
func ServeBuiltin(ctx context.Context, assignmentPath string, environ []string, now func() time.Time, stdout io.Writer) error {
	assignment, err := ReadAssignment(assignmentPath)
	if err != nil {
		return err
	}
	verdict, err := RunBuiltin(ctx, assignment, environ, now)
	if fault, ok := errors.AsType[*contracts.Fault](err); ok {
		return json.MarshalWrite(stdout, faultReport{*fault})
	}
	if err != nil {
		return err
	}
	_, err = stdout.Write(append(verdict.Canonical(), '\n'))
	return err
}

// instant formats t as the wire format wants it.
func instant(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
