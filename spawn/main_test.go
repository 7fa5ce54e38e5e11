package spawn

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
	"github.com/cleocode/cleo-validator/store"
	"github.com/cleocode/cleo-validator/tools"
)

// The test binary is also every process that a test needs: its first argument names the part to play.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if play, ok := parts[os.Args[1]]; ok {
			play(os.Args[2:])
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

// parts are told what they need as arguments: their environment is under test.
var parts = map[string]func(args []string){
	"part-builtin": func(args []string) {
		if err := ServeBuiltin(context.Background(), args[0], os.Environ(), time.Now, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	},
	"part-print":    func(args []string) { fmt.Print(args[0]) },
	"part-exit":     func(args []string) { fmt.Fprintln(os.Stderr, "last words"); os.Exit(len(args[0])) },
	"part-attest":   func(args []string) { fmt.Println(attestation(args[0])); os.Exit(1) },
	"part-hang":     func(args []string) { fmt.Println(attestation(args[0])); hold(args[1]) },
	"part-environ":  func(args []string) { mustWrite(args[0], strings.Join(os.Environ(), "\x00")) },
	"part-stubborn": stubborn,
	"part-hold":     func(args []string) { hold(args[0]) },
	"part-commit":   func(args []string) { mustWrite("a", args[0]); mustCommit(".") },
	"part-soil":     func([]string) { mustWrite("a", "soiled") },
	"part-lead":     lead,
}

// hold opens the named pipe for as long as it lives, and says so in it.
func hold(fifo string) {
	signal.Ignore(syscall.SIGTERM)
	pipe, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(pipe, "held")
	time.Sleep(time.Hour)
	pipe.Close()
}

// stubborn ignores SIGTERM, and so does the process that it forks.
func stubborn(args []string) {
	signal.Ignore(syscall.SIGTERM)
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if err := exec.Command(self, "part-hold", args[0]).Start(); err != nil {
		panic(err)
	}
	time.Sleep(time.Hour)
}

// attestation reads the ids from an assignment file, so that a part needs no prompt.
func attestation(assignment string) string {
	a, err := ReadAssignment(assignment)
	if err != nil {
		panic(err)
	}
	return envelope(a, contracts.StatusPass)
}

func mustWrite(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
}

func mustCommit(dir string) {
	repo, ctx := git.At(dir), context.Background()
	for _, args := range [][]string{
		{"add", "--all", "--", ".", ":(exclude).cleo"},
		{"-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "--quiet", "--allow-empty", "-m", "work"},
	} {
		if _, err := repo.Run(ctx, args...); err != nil {
			panic(err)
		}
	}
}

// envelope returns a verdict with one finding of the given status per criterion.
func envelope(a Assignment, status contracts.FindingStatus) string {
	const at = "2026-05-25T22:18:00Z"
	var findings []contracts.Finding
	for _, ac := range a.ACs {
		findings = append(findings, contracts.Finding{ACID: ac.ID, Status: status, Reasoning: "looked at it", CheckedAt: at})
	}
	verdict, err := contracts.NewAttestation(contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: a.TaskID, ValidatorID: a.ValidatorID, Findings: findings,
		AttestedAt: at, SchemaVersion: contracts.SchemaVersion,
	})
	if status != contracts.StatusPass {
		verdict, err = contracts.NewRejection(contracts.Rejection{
			Verdict: contracts.VerdictReject, TaskID: a.TaskID, ValidatorID: a.ValidatorID, Findings: findings,
			Summary: "no", RejectedAt: at, SchemaVersion: contracts.SchemaVersion,
		})
	}
	if err != nil {
		panic(err)
	}
	return string(verdict.Canonical())
}

// project is a real repository with a real database, in a directory whose name is as bad as names get.
type project struct {
	*testing.T
	dir, state, home string
	repo             git.Repo
	store            *store.Store
	warnings         chan string
}

func newProject(t *testing.T) *project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{
		T: t, dir: filepath.Join(root, "a project\nwith 'blanks'"), home: filepath.Join(root, "home"),
		state: filepath.Join(root, "the\nstate dir"), warnings: make(chan string, 100),
	}
	for _, dir := range []string{p.dir, p.home} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", "")
	p.repo = git.At(p.dir)
	p.store, err = store.Open(t.Context(), filepath.Join(root, "validator.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.store.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// withCommit makes the project a repository with one commit of the file a.
func (p *project) withCommit() *project {
	p.Helper()
	p.git("init", "--quiet", "--initial-branch=main")
	mustWrite(filepath.Join(p.dir, "a"), "one")
	mustCommit(p.dir)
	return p
}

func (p *project) git(args ...string) string {
	p.Helper()
	out, err := p.repo.Run(p.Context(), args...)
	if err != nil {
		p.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// task adds a task whose criteria have the given commands as their checks; an empty one stands for no check.
func (p *project) task(id string, commands ...string) store.Task {
	p.Helper()
	task := store.NewTask{ID: id, Title: id}
	for _, command := range commands {
		ac := store.NewAC{Text: "it holds: " + command}
		if command != "" {
			ac.Check = &contracts.Check{Command: command}
		}
		task.ACs = append(task.ACs, ac)
	}
	if err := p.store.AddTasks(p.Context(), []store.NewTask{task}); err != nil {
		p.Fatal(err)
	}
	added, err := p.store.Task(p.Context(), id)
	if err != nil {
		p.Fatal(err)
	}
	return added
}

// spawner returns a spawner with the builtin agent; set changes its options.
func (p *project) spawner(set ...func(*Options)) *Spawner {
	p.Helper()
	opts := Options{
		ProjectRoot: p.dir, StateDir: p.state, Self: []string{self(p.T), "part-builtin"},
		Environ: append(os.Environ(), hasty), PassEnv: []string{"GORACE"},
		Timeout: time.Minute, Grace: time.Millisecond,
		Warn: func(text string) { p.warnings <- text },
	}
	for _, change := range set {
		change(&opts)
	}
	s, err := New(p.store, p.tools(), opts)
	if err != nil {
		p.Fatal(err)
	}
	return s
}

// hasty keeps a part that is built with the race detector from lingering for a second at its end.
const hasty = "GORACE=atexit_sleep_ms=0"

func (p *project) tools() *tools.Service {
	return tools.New(p.store, tools.Options{ProjectRoot: p.dir, Repository: p.repo})
}

// playing makes the agent one of the parts. {assignment} stands for the path of the assignment file of run r, attempt 1.
func (p *project) playing(part string, args ...string) func(*Options) {
	p.Helper()
	command := quoteWord(self(p.T)) + " " + part
	for _, arg := range args {
		if arg == "{assignment}" {
			arg = filepath.Join(p.dir, ".cleo/runs/r/1/assignment.json")
		}
		command += " " + quoteWord(arg)
	}
	return p.running(command)
}

func (p *project) running(command string) func(*Options) {
	p.Helper()
	agent, err := FindAgent(agentCommand, command)
	if err != nil {
		p.Fatal(err)
	}
	return func(o *Options) { o.Agent = agent }
}

func quoteWord(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func request(taskID string) contracts.SpawnRequest {
	return contracts.SpawnRequest{TaskID: taskID, RunID: "r", AttemptNumber: 1, ValidatorID: "validator-1"}
}

// noWorktrees makes sure that neither the repository nor the disk knows of a worktree of ours.
func (p *project) noWorktrees() {
	p.Helper()
	if list := p.git("worktree", "list", "--porcelain"); strings.Count("\n"+list, "\nworktree ") != 1 {
		p.Errorf("the repository still has worktrees:\n%s", list)
	}
	if left := p.worktrees(); len(left) > 0 {
		p.Errorf("left in the state directory: %q", left)
	}
}

// worktrees returns the names of everything in the yards but their own lock.
func (p *project) worktrees() []string {
	p.Helper()
	paths, err := filepath.Glob(filepath.Join(p.state, "worktrees", "*", "[^.]*"))
	if err != nil {
		p.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

func wantCode(t *testing.T, err error, code contracts.Code) {
	t.Helper()
	if contracts.CodeOf(err) != code {
		t.Errorf("got %v (%s), want %s", err, contracts.CodeOf(err), code)
	}
}

// newFifo makes a named pipe and returns its path, its held end, and a wait for the first process to open it.
func newFifo(t *testing.T) (path string, held *os.File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { held.Close() })
	return path, held
}

// awaitHolder returns once a process holds the pipe.
func awaitHolder(t *testing.T, held *os.File) {
	t.Helper()
	if _, err := held.Read(make([]byte, len("held\n"))); err != nil {
		t.Error(err)
	}
}

// awaitAbandoned returns when no process but this one has the pipe open.
func awaitAbandoned(t *testing.T, path string, held *os.File) {
	t.Helper()
	only, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer only.Close()
	held.Close()
	if _, err := io.Copy(io.Discard, only); err != nil {
		t.Error(err)
	}
}
