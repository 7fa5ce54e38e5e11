package main

import (
	"fmt"
	"io"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
)

// runReport is the result of run.
type runReport struct {
	OK      bool             `json:"ok"`
	Results []runtime.Result `json:"results"`
	// Errors are the tasks whose run stopped without an outcome.
	Errors []runError `json:"errors,omitempty"`
}

type runError struct {
	TaskID string `json:"taskId"`
	contracts.ErrorEnvelope
}

// reportRuns prints the results and turns them into the exit code: the highest of all tasks counts.
func (p *project) reportRuns(results []runtime.TaskResult, asJSON bool) error {
	report := runReport{OK: true, Results: []runtime.Result{}}
	highest, failure := exitOK, error(nil)
	for _, r := range results {
		code := exitCode(r.Err)
		if r.Err == nil {
			code = exitByOutcome[r.Result.Outcome]
			report.Results = append(report.Results, r.Result)
		} else {
			report.Errors = append(report.Errors, runError{r.TaskID, contracts.Envelope(r.Err)})
			p.host.reportError("cleo-validator run", fmt.Errorf("%s: %w", r.TaskID, r.Err), false)
		}
		for _, problem := range r.Result.AuditErrors {
			p.host.warn("%s: %s", r.TaskID, problem)
		}
		if code > highest {
			highest = code
		}
		if r.Err != nil && failure == nil {
			failure = r.Err
		}
	}
	report.OK = highest == exitOK
	if err := p.printRuns(report, failure, asJSON); err != nil {
		return err
	}
	if highest == exitOK {
		return nil
	}
	return exitStatus(highest)
}

// printRuns prints what ended in an outcome. When nothing did, the error envelope is the result.
func (p *project) printRuns(report runReport, failure error, asJSON bool) error {
	if asJSON && failure != nil && len(report.Results) == 0 {
		return p.host.printJSON(contracts.Envelope(failure))
	}
	return p.host.result(asJSON, report, func(w io.Writer) {
		for _, result := range report.Results {
			describeRun(w, result)
		}
	})
}

func describeRun(w io.Writer, r runtime.Result) {
	fmt.Fprintf(w, "%s: %s after %s\n", r.TaskID, r.Outcome, plural(len(r.Attempts), "audit row", "audit rows"))
	for _, row := range r.Attempts {
		fmt.Fprintf(w, "  %s\n", describeRow(row))
	}
	if r.Reason != "" {
		fmt.Fprintf(w, "  %s\n", oneLine(r.Reason))
	}
}

// describeRow is one audit row as a line of a timeline.
func describeRow(row contracts.RetryEntry) string {
	what := "attest"
	switch {
	case row.Verdict == contracts.VerdictReject:
		what = "reject"
	case row.FaultKind != nil:
		what = string(*row.FaultKind)
	}
	line := fmt.Sprintf("attempt %d  %-17s → %s", row.AttemptNumber, what, row.RetryDecision)
	if row.BackoffMs != nil && *row.BackoffMs > 0 {
		line += fmt.Sprintf(" in %s", time.Duration(*row.BackoffMs)*time.Millisecond)
	}
	return line + "  " + oneLine(row.Message)
}

// exitByOutcome gives every outcome of a run its exit code.
var exitByOutcome = map[runtime.Outcome]int{
	runtime.OutcomeAttest:            exitOK,
	runtime.OutcomeEscalateHITL:      exitHITL,
	runtime.OutcomeEscalatePermanent: exitPermanent,
}
