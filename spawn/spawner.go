package spawn

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

// Ledger is what the spawner reads of the evidence store; [store.Store] is the real one.
type Ledger interface {
	Task(ctx context.Context, id string) (store.Task, error)
	VerdictBy(ctx context.Context, taskID, validatorID string) (contracts.Verdict, bool, error)
}

// Options configure a [Spawner]. The zero value validates HEAD of the working directory with the builtin agent.
type Options struct {
	// ProjectRoot is the project's directory; it may lie below the root of its repository. Default: the working directory.
	ProjectRoot string
	// StateDir holds the worktrees. Default: cleo-validator in $XDG_STATE_HOME, else in $HOME/.local/state.
	StateDir string
	// Self is the command that is the builtin agent; the path of an assignment file is appended. The process it starts
	// calls [ServeBuiltin]. Required with the builtin agent only.
	Self []string
	// Environ is the Lead's environment, of which the Validator gets what the allow-list names. Default: nothing.
	Environ []string
	// PassEnv names variables that the Validator gets beyond the allow-list.
	PassEnv []string
	// Agent is the Validator to start. Default: the builtin one.
	Agent Agent
	// Rev is the candidate. Default HEAD. It is resolved anew at each attempt, since a Worker's fix moves it.
	Rev string
	// IncludeDirty validates a snapshot of HEAD with the project's uncommitted changes; Rev must then be empty.
	IncludeDirty bool
	// NoWorktree validates in the project itself. It needs no git.
	NoWorktree bool
	// Keep keeps the worktrees.
	Keep bool
	// Timeout bounds one attempt. Default 300 s.
	Timeout time.Duration
	// Grace is the time between SIGTERM and SIGKILL. Default 5 s.
	Grace time.Duration
	// LogCap is how many bytes of each output stream are kept on disk; the rest is counted. Default 64 MiB.
	LogCap int64
	// Now defaults to time.Now.
	Now func() time.Time
	// NewID makes ids of runs and Validators that nobody named: lower-case UUIDs. Default: random ones.
	NewID func() string
	// Warn is told what is odd but stops nothing. It is called from several goroutines. Default: nobody is told.
	Warn func(string)
}

// The defaults of [Options] and [WorkerOptions].
const (
	DefaultTimeout = 300 * time.Second
	DefaultLogCap  = 64 << 20
)

// withDefaults fills in what was not said and refuses what contradicts itself.
func (o Options) withDefaults() (Options, error) {
	root, err := filepath.Abs(o.ProjectRoot)
	if err != nil {
		return o, contracts.Errorf(contracts.CodeSpawnFailed, "finding the project: %w", err).WithFix("name the project's directory")
	}
	o.ProjectRoot = root
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.LogCap <= 0 {
		o.LogCap = DefaultLogCap
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = uuid.NewString
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	if o.IncludeDirty && o.Rev != "" {
		return o, contracts.Errorf(contracts.CodeInvalidInput, "the candidate cannot be both %q and a snapshot of the uncommitted state", o.Rev).
			WithFix("name a revision (--commit) or take a snapshot (--include-dirty), not both")
	}
	if o.Agent.isBuiltin() && len(o.Self) == 0 {
		return o, contracts.Errorf(contracts.CodeInvalidInput, "the builtin agent has no command to start it by").
			WithFix("set Options.Self, or choose another agent")
	}
	return o, checkPassEnv(o.PassEnv)
}

// Spawner starts Validators for one project. It is safe for concurrent use, and so are several of them, in as many
// processes, on one repository.
type Spawner struct {
	ledger Ledger
	judge  *tools.Service
	repo   git.Repo
	opts   Options

	untracked sync.Once // the warning of untracked files, which are the same for every task
}

// New returns a spawner whose Validators are told of the tasks in ledger and ship their verdicts through judge.
func New(ledger Ledger, judge *tools.Service, opts Options) (*Spawner, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Spawner{ledger: ledger, judge: judge, repo: git.At(opts.ProjectRoot), opts: opts}, nil
}
