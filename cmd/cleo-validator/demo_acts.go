package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
	"github.com/cleocode/cleo-validator/internal/proc"
	"github.com/cleocode/cleo-validator/runtime"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

// setStage makes the scratch repository and initialises the project in it.
func (d *demo) setStage(ctx context.Context) error {
	if err := os.MkdirAll(d.root, 0o700); err != nil {
		return unwritable(err)
	}
	d.tell("1. A scratch git repository: %s", d.root)
	repo := git.At(d.root)
	if _, err := repo.Run(ctx, "init", "--quiet"); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(d.root, "README"), []byte("add.sh adds two numbers\n"), 0o600); err != nil {
		return unwritable(err)
	}
	if err := commitAll(ctx, repo, "Say what add.sh will do"); err != nil {
		return err
	}
	if _, err := initProject(ctx, d.host, &globalFlags{db: defaultDatabase(d.root)}, d.root); err != nil {
		return err
	}
	p, err := openProjectAt(ctx, d.host, d.root, defaultDatabase(d.root))
	d.project = p
	return err
}

// addTask writes down what done means.
func (d *demo) addTask(ctx context.Context) error {
	task := store.NewTask{ID: demoTask, Title: "add.sh adds two numbers", ACs: []store.NewAC{
		{Text: "add.sh 2 3 prints 5", Check: &contracts.Check{Command: "sh add.sh 2 3", ExpectedOutputContains: "5"}},
		{Text: "add.sh refuses a missing number", Check: &contracts.Check{Command: "sh add.sh 2", ExpectedExitCode: 2}},
		{Text: "the test suite passes", Check: &contracts.Check{Command: "sh test.sh"}},
	}}
	if err := checkTask(task); err != nil {
		return err
	}
	if err := d.project.store.AddTasks(ctx, []store.NewTask{task}); err != nil {
		return err
	}
	d.tell("2. Task %s has three acceptance criteria, each with a machine check:", demoTask)
	for i, ac := range task.ACs {
		d.tell("     %s  %-34s %s", contracts.Alias(i+1), ac.Text, describeCheck(*ac.Check))
	}
	return nil
}

// handOver has the Worker, a process of its own, commit its first try.
func (d *demo) handOver(ctx context.Context) error {
	self, err := d.host.self()
	if err != nil {
		return err
	}
	before, err := d.project.repo.Resolve(ctx, "HEAD")
	if err != nil {
		return err
	}
	exit, err := proc.Run(ctx, proc.Command{
		Argv: []string{self, demoWorkerCommand}, Dir: d.root, Env: d.host.environ, Stdout: d.story, Stderr: d.host.err,
	})
	if err != nil || exit.Code != 0 {
		return unexpected("the Worker ended with exit code %d: %v", exit.Code, err)
	}
	after, err := d.project.repo.Resolve(ctx, "HEAD")
	if err != nil || after == before {
		return unexpected("the Worker handed nothing over: %v", err)
	}
	d.project.hasCommit = true
	d.tell("3. The Worker commits %.12s and says: \"Done, all tests pass.\"", after.Commit)
	return nil
}

// validate runs the loop: a rejection goes back to the Worker, the fix is attested.
func (d *demo) validate(ctx context.Context) error {
	self, err := d.host.self()
	if err != nil {
		return err
	}
	opts := runOptions{
		agent: "builtin", worker: quote(self) + " " + demoWorkerCommand + " {rejection_file}",
		retryMax: d.project.settings.ValidatorRetryMax,
		timeout:  d.project.settings.Timeout, budget: d.project.settings.Budget,
	}
	spawner, err := d.project.spawner(opts)
	if err != nil {
		return err
	}
	crew, err := d.project.crew(spawner, opts)
	if err != nil {
		return err
	}
	unlock, err := d.project.lockTasks([]string{demoTask})
	if err != nil {
		return err
	}
	defer unlock()
	d.tell("4. cleo-validator run %s: an independent Validator, in a worktree of its own", demoTask)
	results := runtime.RunMany(ctx, []string{demoTask}, 1, crew, d.project.runtimeOptions(opts, d.narrate))
	if err := results[0].Err; err != nil {
		return err
	}
	return checkPlot(results[0].Result)
}

// narrate tells what the loop does while it does it.
func (d *demo) narrate(e runtime.Event) { d.tell("     %s", oneLine(e.String())) }

// checkPlot makes sure that the loop took the turn that the story tells.
func checkPlot(result runtime.Result) error {
	var decisions []string
	for _, row := range result.Attempts {
		decisions = append(decisions, string(row.RetryDecision))
	}
	want := []string{string(contracts.DecisionRetryWorker), string(contracts.DecisionAttest)}
	if got := strings.Join(decisions, ", "); got != strings.Join(want, ", ") {
		return unexpected("the loop decided %q instead of %q: %s", got, strings.Join(want, ", "), result.Reason)
	}
	return nil
}

func (d *demo) openGate(ctx context.Context) error {
	gate, err := d.project.tools(nil).Gate(ctx, demoTask)
	if err != nil {
		return err
	}
	d.tell("5. The gate is open: %d of %d criteria are covered by the Validator's bindings", gate.ACs, gate.ACs)
	return nil
}

func (d *demo) complete(ctx context.Context) error {
	if _, err := d.project.tools(nil).Complete(ctx, tools.CompleteInput{TaskID: demoTask, Actor: "demo"}); err != nil {
		return err
	}
	task, err := d.project.store.Task(ctx, demoTask)
	if err != nil || task.Status != "done" {
		return unexpected("the task is %q after completion: %v", task.Status, err)
	}
	d.tell("6. %s is %s", task.ID, task.Status)
	return nil
}

// lookBack shows the audit log and makes sure that nothing was left behind.
func (d *demo) lookBack(ctx context.Context) error {
	if err := d.showLog(ctx); err != nil {
		return err
	}
	worktrees, err := d.project.repo.Run(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return err
	}
	if n := strings.Count("\n"+worktrees, "\nworktree "); n != 1 {
		return unexpected("%d worktrees are left besides the project's own", n-1)
	}
	d.tell("\nThe Validators' worktrees are gone. Everything else is yours to look at:")
	d.tell("  project    %s", d.root)
	d.tell("  database   %s", defaultDatabase(d.root))
	d.tell("  audit log  %s", d.logFile())
	d.tell("  attempts   %s", filepath.Join(d.root, ".cleo", "runs"))
	d.tell("Remove it with: rm -r %s", filepath.Dir(d.root))
	return nil
}

// showLog shows the operators' log twice: as a timeline, and as the rows that really are in the file.
func (d *demo) showLog(ctx context.Context) error {
	rows, err := d.rows(ctx)
	if err != nil {
		return err
	}
	if len(rows) != 2 {
		return unexpected("the audit log has %d rows instead of 2", len(rows))
	}
	d.tell("7. The operators' log, as a timeline and as it is:")
	for _, row := range rows {
		d.tell("     %s  %s", row.Timestamp, describeRow(row))
	}
	lines, err := os.ReadFile(d.logFile())
	if err != nil {
		return unexpected("reading the audit log: %w", err)
	}
	d.tell("%s", strings.TrimSpace(string(lines)))
	return nil
}

func (d *demo) logFile() string { return filepath.Join(d.root, ".cleo", "audit", audit.RetriesFile) }

func (d *demo) rows(ctx context.Context) ([]contracts.RetryEntry, error) {
	return readRetries(ctx, d.project.audit, audit.Filter{TaskID: demoTask})
}

// unexpected is the error of a demo that did not go as told.
func unexpected(format string, args ...any) error {
	return contracts.Errorf(contracts.CodeInternal, format, args...).
		WithFix("look at the scratch directory, and report what you find")
}

// quote makes one word of a path for an argv template.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
