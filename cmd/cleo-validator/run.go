package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
	"github.com/cleocode/cleo-validator/spawn"
)

// runOptions are the flags of run, after the settings filled in what was not said.
type runOptions struct {
	agent        string
	agentCommand string
	worker       string
	workerID     string
	retryMax     int
	timeout      time.Duration
	budget       time.Duration
	parallel     int
	commit       string
	passEnv      []string
	fresh        bool
	keep         bool
	includeDirty bool
	noWorktree   bool
}

func newRun(h host, flags *globalFlags) *cobra.Command {
	var opts runOptions
	cmd := &cobra.Command{
		Use:   "run TASK…",
		Short: "Validate tasks: spawn, judge, retry within one budget",
		Long: `Drive the loop of Lead, Worker and Validator for each task until a Validator attests
it, or the budget is spent. Exit 0 when every task is attested, 20 when one was
escalated to a human, 21 when one met a permanent fault. A run that was killed goes
on where it was, with the budget it had left.`,
		Example: `  cleo-validator run T1 --agent builtin
  cleo-validator run T1 T2 T3 --parallel 2 --worker "my-worker --fix {rejection_file}"
  cleo-validator run T1 --agent command --agent-cmd "my-agent --prompt {prompt_file}"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, tasks []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				opts.fillIn(cmd, p.settings)
				if err := opts.check(); err != nil {
					return err
				}
				return p.runTasks(cmd.Context(), tasks, opts, flags.json)
			})
		},
	}
	opts.register(cmd)
	return cmd
}

func (o *runOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.agent, "agent", "", "the Validator: builtin or command (see cleo-validator agents)")
	f.StringVar(&o.agentCommand, "agent-cmd", "", "argv template of the agent \"command\": {prompt_file}, {worktree}, {task}, {model}")
	f.StringVar(&o.worker, "worker", "", "argv template of the command that mends a rejected candidate: {rejection_file}, {prompt_file}, {task}")
	f.StringVar(&o.workerID, "worker-id", "", "the agent instance that made the candidate; it can never judge it")
	f.IntVar(&o.retryMax, "retry-max", 0, "the retry budget that rejections and faults share (default 3)")
	f.DurationVar(&o.timeout, "timeout", 0, "how long one attempt may take (default 5m)")
	f.DurationVar(&o.budget, "budget", 0, "how long the whole run may take (default 30m)")
	f.IntVar(&o.parallel, "parallel", 0, "how many tasks are validated side by side (default 2)")
	f.StringVar(&o.commit, "commit", "", "the candidate, a git revision (default HEAD)")
	f.StringSliceVar(&o.passEnv, "pass-env", nil, "a variable that the Validator gets beyond the allow-list")
	f.BoolVar(&o.fresh, "fresh", false, "give an unfinished run up and start over with a new budget; audited")
	f.BoolVar(&o.keep, "keep", false, "keep the worktrees")
	f.BoolVar(&o.includeDirty, "include-dirty", false, "validate a snapshot of the uncommitted state")
	f.BoolVar(&o.noWorktree, "no-worktree", false, "validate in the project itself; needs no git")
}

// fillIn takes from the settings what no flag said.
func (o *runOptions) fillIn(cmd *cobra.Command, s settings) {
	said := cmd.Flags().Changed
	if !said("agent") {
		o.agent = s.Agent
	}
	if !said("agent-cmd") {
		o.agentCommand = s.AgentCommand
	}
	if !said("worker") {
		o.worker = s.Worker
	}
	if !said("retry-max") {
		o.retryMax = s.ValidatorRetryMax
	}
	if !said("timeout") {
		o.timeout = time.Duration(s.Timeout)
	}
	if !said("budget") {
		o.budget = time.Duration(s.Budget)
	}
	if !said("parallel") {
		o.parallel = s.Parallel
	}
	o.passEnv = append(o.passEnv, s.PassEnv...)
}

func (o *runOptions) check() error {
	switch {
	case o.retryMax < 1:
		return contracts.Errorf(contracts.CodeInvalidInput, "--retry-max must be at least 1, not %d", o.retryMax)
	case o.timeout <= 0:
		return contracts.Errorf(contracts.CodeInvalidInput, "--timeout must be longer than nothing, not %s", o.timeout)
	case o.budget <= 0:
		return contracts.Errorf(contracts.CodeInvalidInput, "--budget must be longer than nothing, not %s", o.budget)
	case o.parallel < 1:
		return contracts.Errorf(contracts.CodeInvalidInput, "--parallel must be at least 1, not %d", o.parallel)
	}
	return nil
}

// runReport is the result of run.
type runReport struct {
	OK      bool             `json:"ok"`
	Results []runtime.Result `json:"results"`
}

// runTasks checks everything that can be checked before the first process starts, drives the runs, and prints how they ended.
func (p *project) runTasks(ctx context.Context, tasks []string, opts runOptions, asJSON bool) error {
	spawner, err := p.spawner(opts)
	if err != nil {
		return err
	}
	crew, err := p.crew(spawner, opts)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		if err := p.prepareTask(ctx, spawner, task, opts); err != nil {
			return err
		}
	}
	unlock, err := p.lockTasks(tasks)
	if err != nil {
		return err
	}
	defer unlock()
	if opts.fresh {
		if err := p.abandonRuns(ctx, tasks); err != nil {
			return err
		}
	}
	progress := newProgress(p.host, tasks)
	results := runtime.RunMany(ctx, tasks, opts.parallel, crew, p.runtimeOptions(opts, progress.Observe))
	progress.Stop()
	return p.reportRuns(results, asJSON)
}

// prepareTask records the Worker and makes sure that the task can be validated at all.
func (p *project) prepareTask(ctx context.Context, spawner *spawn.Spawner, task string, opts runOptions) error {
	if err := contracts.CheckTaskID(task); err != nil {
		return err
	}
	if err := spawner.Preflight(ctx, task); err != nil {
		return err
	}
	if opts.workerID == "" {
		return nil
	}
	return p.store.RecordWorker(ctx, task, opts.workerID)
}

// lockTasks makes this process the only one that drives these tasks; the locks go with the process.
func (p *project) lockTasks(tasks []string) (unlock func(), err error) {
	var held []func() error
	unlock = func() {
		for _, release := range held {
			if err := release(); err != nil {
				p.host.warn("releasing a run lock: %v", err)
			}
		}
	}
	for _, task := range tasks {
		release, err := p.store.LockRun(task)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, release)
	}
	return unlock, nil
}

// abandonRuns gives unfinished runs up, after a line in the override log says that a new budget was handed out.
func (p *project) abandonRuns(ctx context.Context, tasks []string) error {
	for _, task := range tasks {
		err := p.audit.AppendOverride(ctx, audit.Override{
			Kind:        audit.OverrideFreshRun,
			Timestamp:   p.host.now().UTC().Format(time.RFC3339),
			TaskID:      task,
			Reason:      "run --fresh",
			Actor:       actor(p.host),
			Unsatisfied: []contracts.UncoveredAC{},
		})
		if err != nil {
			return err
		}
		if _, _, err := p.store.AbandonRun(ctx, task); err != nil {
			return err
		}
	}
	return nil
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
