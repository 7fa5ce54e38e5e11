package spawn

import (
	"context"
	"path/filepath"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
	"github.com/cleocode/cleo-validator/internal/proc"
)

// WorkerOptions configure a [Worker]. The zero value works in the working directory without a time limit.
type WorkerOptions struct {
	// ProjectRoot is the project's directory. Default: the working directory.
	ProjectRoot string
	// Environ is the Lead's environment; the Worker gets it without what belongs to a Validator or to the owner.
	Environ []string
	// Rev is the candidate that is handed over. Default HEAD.
	Rev string
	// IncludeDirty hands a snapshot of the uncommitted state over; else such a state is an error.
	IncludeDirty bool
	// Timeout bounds the Worker. Default: none but the caller's context.
	Timeout time.Duration
	// Grace is the time between SIGTERM and SIGKILL. Default 5 s.
	Grace time.Duration
	// LogCap is how many bytes of each output stream are kept on disk. Default 64 MiB.
	LogCap int64
}

// Worker is the configured command that mends a rejected candidate.
type Worker struct {
	command argvTemplate
	repo    git.Repo
	opts    WorkerOptions
}

// NewWorker returns the Worker that command starts. It is split into words as a POSIX shell splits them, and
// {rejection_file}, {prompt_file} and {task} are replaced within the words.
func NewWorker(command string, opts WorkerOptions) (*Worker, error) {
	words, err := parseTemplate(command, "{rejection_file}", "{prompt_file}", "{task}")
	if err != nil {
		return nil, err
	}
	root, err := filepath.Abs(opts.ProjectRoot)
	if err != nil {
		return nil, contracts.Errorf(contracts.CodeWorkerFailed, "finding the project: %w", err).WithFix("name the project's directory")
	}
	opts.ProjectRoot = root
	if opts.LogCap <= 0 {
		opts.LogCap = DefaultLogCap
	}
	return &Worker{command: words, repo: git.At(root), opts: opts}, nil
}

// RespawnWorker has the Worker mend what was rejected, in the project itself, and returns the candidate that it hands
// over: zero in a project without commits. A program that is missing and a deadline that passed are faults; a Worker that
// fails, or that leaves tracked changes uncommitted, is a [contracts.Error] with [contracts.CodeWorkerFailed].
func (w *Worker) RespawnWorker(ctx context.Context, req contracts.RespawnRequest) (contracts.Subject, error) {
	files, err := makeRunFiles(w.opts.ProjectRoot, req.RunID, req.AttemptNumber)
	if err != nil {
		return contracts.Subject{}, err
	}
	argv, err := w.argv(files, req)
	if err != nil {
		return contracts.Subject{}, err
	}
	if err := w.run(ctx, files, argv); err != nil {
		return contracts.Subject{}, err
	}
	return w.handOver(ctx)
}

// argv writes what the Worker reads and returns the command that starts it.
func (w *Worker) argv(files runFiles, req contracts.RespawnRequest) ([]string, error) {
	rejection, err := files.write("rejection.json", req.Rejection.Canonical())
	if err != nil {
		return nil, err
	}
	prompt, err := files.write("worker-prompt.md", []byte(render(workerPromptTemplate, struct{ TaskID, RejectionFile string }{
		req.TaskID, rejection,
	})))
	if err != nil {
		return nil, err
	}
	return w.command.expand(map[string]string{
		"{rejection_file}": rejection, "{prompt_file}": prompt, "{task}": req.TaskID,
	}), nil
}

func (w *Worker) run(ctx context.Context, files runFiles, argv []string) error {
	stdout, err := files.log("worker-stdout.log", w.opts.LogCap, detailTail)
	if err != nil {
		return err
	}
	defer stdout.Close()
	stderr, err := files.log("worker-stderr.log", w.opts.LogCap, detailTail)
	if err != nil {
		return err
	}
	defer stderr.Close()
	exit, err := proc.Run(ctx, proc.Command{
		Argv: argv, Dir: w.opts.ProjectRoot, Env: workerEnvironment(w.opts.Environ),
		Stdout: stdout, Stderr: stderr, Timeout: w.opts.Timeout, Grace: w.opts.Grace,
	})
	if err != nil {
		return err
	}
	detail := ending{exit: exit, stdout: stdout, stderr: stderr}.detail()
	switch {
	case exit.TimedOut:
		return &contracts.Fault{
			Kind: contracts.FaultTimeout, Message: "the Worker did not end within " + w.opts.Timeout.String(), Detail: detail,
		}
	case exit.Code != 0:
		failure := contracts.Errorf(contracts.CodeWorkerFailed, "the Worker ended with %s: %s",
			describeExit(exit), lastLine(stdout.Text()+"\n"+stderr.Text())).
			WithFix("look at the output in %s, mend the Worker's command or its environment, and run again", files.dir)
		failure.Details = detail
		return failure
	}
	return nil
}

// handOver returns the candidate that the Worker left.
func (w *Worker) handOver(ctx context.Context) (contracts.Subject, error) {
	subject, err := resolveCandidate(ctx, w.repo, w.opts.Rev, w.opts.IncludeDirty)
	switch code := contracts.CodeOf(err); {
	case ctx.Err() != nil:
		return contracts.Subject{}, context.Cause(ctx)
	case w.opts.Rev == "" && (code == contracts.CodeNotARepository || code == contracts.CodeToolNotResolved):
		return contracts.Subject{}, nil
	case err != nil || w.opts.IncludeDirty:
		return subject, err
	}
	changes, err := w.repo.Changes(ctx)
	if err != nil {
		return contracts.Subject{}, err
	}
	if n := len(changes.Tracked); n > 0 {
		return contracts.Subject{}, contracts.Errorf(contracts.CodeWorkerFailed, "the Worker left %s uncommitted: %s",
			countFiles(n, "tracked"), quoteSome(changes.Tracked)).
			WithFix("have the Worker commit what it changes; only commits are judged")
	}
	return subject, nil
}
