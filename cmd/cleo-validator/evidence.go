package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
	"github.com/cleocode/cleo-validator/store"
)

func newEvidence(h host, flags *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "evidence",
		Short:   "Re-evaluate evidence, fresh",
		Long:    "Re-evaluate the evidence for a task now, in the project itself, believing nothing that was written down before.",
		Example: "  cleo-validator evidence run T1",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvidenceRun(h, flags))
	return cmd
}

func newEvidenceRun(h host, flags *globalFlags) *cobra.Command {
	var timeout duration
	cmd := &cobra.Command{
		Use:   "run TASK",
		Short: "Run the machine checks of a task's criteria",
		Long: `Run the machine check of every criterion in the project as it stands, and print what
each came to. Nothing is written to the ledger. Exit 0 when every check passes, 1
when one fails, cannot be evaluated, or when the task has none.`,
		Example: "  cleo-validator evidence run T1\n  cleo-validator evidence run T1 --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				task, err := p.store.Task(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if timeout <= 0 {
					timeout = p.settings.Timeout
				}
				report, err := p.runChecks(cmd.Context(), task, time.Duration(timeout))
				if err != nil {
					return err
				}
				if err := h.result(flags.json, report, func(w io.Writer) { describeChecks(w, report) }); err != nil {
					return err
				}
				if !report.OK {
					return exitStatus(exitFailure)
				}
				return nil
			})
		},
	}
	cmd.Flags().Var(&timeout, "timeout", "how long a check may take that sets no bound of its own (default: the configured timeout)")
	return cmd
}

// checkReport is the result of evidence run. OK means that there is a check and that every one passed.
type checkReport struct {
	OK     bool        `json:"ok"`
	TaskID string      `json:"taskId"`
	Checks []checkedAC `json:"checks"`
}

// checkedAC is one criterion: a result, a fault, or neither when it has no check.
type checkedAC struct {
	ACID   string           `json:"acId"`
	Alias  string           `json:"alias"`
	Text   string           `json:"text"`
	Check  *contracts.Check `json:"check,omitempty"`
	Result *evidence.Result `json:"result,omitempty"`
	Fault  *contracts.Fault `json:"fault,omitempty"`
}

func (p *project) runChecks(ctx context.Context, task store.Task, timeout time.Duration) (checkReport, error) {
	site := evidence.Site{Dir: p.root, ProjectRoot: p.root, Env: p.host.environ, Timeout: timeout}
	report := checkReport{TaskID: task.ID, Checks: []checkedAC{}}
	ran, passed := 0, 0
	for _, ac := range task.ACs {
		row := checkedAC{ACID: ac.ID, Alias: ac.Alias(), Text: ac.Text, Check: ac.Check}
		if ac.Check != nil {
			ran++
			result, err := evidence.RunCheck(ctx, site, *ac.Check)
			if fault, isFault := errors.AsType[*contracts.Fault](err); isFault {
				row.Fault = fault
			} else if err != nil {
				return checkReport{}, err
			} else {
				row.Result = &result
				if result.OK {
					passed++
				}
			}
		}
		report.Checks = append(report.Checks, row)
	}
	report.OK = ran > 0 && passed == ran
	return report, nil
}

func describeChecks(w io.Writer, report checkReport) {
	for _, row := range report.Checks {
		verdict, told := "none", "no machine check"
		switch {
		case row.Fault != nil:
			verdict, told = "fault", row.Fault.Error()
		case row.Result != nil && row.Result.OK:
			verdict, told = "pass", row.Result.Reason
		case row.Result != nil:
			verdict, told = "fail", row.Result.Reason
		}
		fmt.Fprintf(w, "%-5s %-5s %s\n            %s\n", row.Alias, verdict, oneLine(row.Text), oneLine(told))
	}
}
