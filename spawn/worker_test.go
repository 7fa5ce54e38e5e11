package spawn

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

func (p *project) respawn(command string, set ...func(*WorkerOptions)) (contracts.Subject, error) {
	p.Helper()
	opts := WorkerOptions{ProjectRoot: p.dir, Environ: append(os.Environ(), hasty, "CLEO_VALIDATOR_ID=validator-9"), Grace: time.Millisecond}
	for _, change := range set {
		change(&opts)
	}
	w, err := NewWorker(command, opts)
	if err != nil {
		p.Fatal(err)
	}
	rejection, err := contracts.ParseVerdict([]byte(envelope(assigned("validator-1"), contracts.StatusFail)))
	if err != nil {
		p.Fatal(err)
	}
	return w.RespawnWorker(p.Context(), contracts.RespawnRequest{TaskID: "T1", RunID: "r", AttemptNumber: 1, Rejection: rejection})
}

func TestRespawnWorker(t *testing.T) {
	part := func(t *testing.T, name string, args ...string) string {
		command := quoteWord(self(t)) + " " + name
		for _, arg := range args {
			command += " " + quoteWord(arg)
		}
		return command
	}
	t.Run("HandsOver", func(t *testing.T) {
		p := newProject(t).withCommit()
		got, err := p.respawn(part(t, "part-commit", "two"))
		if err != nil || got.Commit != p.git("rev-parse", "HEAD") || p.git("show", "HEAD:a") != "two" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("GetsTheRejectionAndThePrompt", func(t *testing.T) {
		p := newProject(t).withCommit()
		out := t.TempDir()
		_, err := p.respawn(`sh -c 'cp "$1" "$0/r"; cp "$2" "$0/p"; echo "$3$CLEO_VALIDATOR_ID"; pwd' ` + quoteWord(out) +
			" {rejection_file} {prompt_file} x{task}")
		if err != nil {
			t.Fatal(err)
		}
		rejection, err := os.ReadFile(filepath.Join(out, "r"))
		if err != nil || !contracts.IsRejection(rejection) {
			t.Errorf("the rejection is %q, %v", rejection, err)
		}
		prompt, err := os.ReadFile(filepath.Join(out, "p"))
		if err != nil || !strings.Contains(string(prompt), "rejection.json") || strings.Contains(string(prompt), "looked at it") {
			t.Errorf("the prompt is %q, %v", prompt, err)
		}
		log, err := os.ReadFile(filepath.Join(p.dir, ".cleo/runs/r/1/worker-stdout.log"))
		if err != nil || string(log) != "xT1\n"+p.dir+"\n" {
			t.Errorf("the log is %q, %v", log, err)
		}
	})
	t.Run("WithoutGit", func(t *testing.T) {
		if got, err := newProject(t).respawn("true"); err != nil || got != (contracts.Subject{}) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("HandsASnapshotOver", func(t *testing.T) {
		p := newProject(t).withCommit()
		got, err := p.respawn(part(t, "part-soil"), func(o *WorkerOptions) { o.IncludeDirty = true })
		if err != nil || got.Commit == p.git("rev-parse", "HEAD") || p.git("show", got.Commit+":a") != "soiled" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	t.Run("ErrUncommitted", func(t *testing.T) {
		_, err := newProject(t).withCommit().respawn(part(t, "part-soil"))
		wantCode(t, err, contracts.CodeWorkerFailed)
	})
	t.Run("ErrExit", func(t *testing.T) {
		_, err := newProject(t).withCommit().respawn(part(t, "part-exit", "xx"))
		wantCode(t, err, contracts.CodeWorkerFailed)
		if !strings.Contains(err.Error(), "exit code 2: last words") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("FaultNoProgram", func(t *testing.T) {
		_, err := newProject(t).withCommit().respawn("no-such-worker")
		wantFault(t, err, contracts.FaultToolNotResolved)
	})
	t.Run("FaultTimeout", func(t *testing.T) {
		path, held := newFifo(t)
		_, err := newProject(t).withCommit().respawn(part(t, "part-stubborn", path), func(o *WorkerOptions) { o.Timeout = 50 * time.Millisecond })
		wantFault(t, err, contracts.FaultTimeout)
		awaitAbandoned(t, path, held)
	})
	t.Run("ErrCommand", func(t *testing.T) {
		for _, command := range []string{"", "a | b", "a {nonsense}", "a {worktree}"} {
			_, err := NewWorker(command, WorkerOptions{})
			wantCode(t, err, contracts.CodeInvalidInput)
		}
	})
}

func TestFindAgent(t *testing.T) {
	t.Run("Builtin", func(t *testing.T) {
		for _, name := range []string{"", "builtin"} {
			if agent, err := FindAgent(name, ""); err != nil || agent.Name() != "builtin" {
				t.Errorf("got %v, %v", agent, err)
			}
		}
	})
	t.Run("Expands", func(t *testing.T) {
		agent, err := FindAgent("command", `go 'a b' x{task}x {worktree} '{"json": {}}' ${HOME} {Model}`)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(agent.command.expand(map[string]string{"{task}": "{worktree}", "{worktree}": "w w"}), "|")
		if want := `go|a b|x{worktree}x|w w|{"json": {}}|${HOME}|{Model}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	for name, test := range map[string]struct {
		name, command string
		code          contracts.Code
	}{
		"ErrName":        {"claude", "", contracts.CodeUnknownName},
		"ErrNoCommand":   {"command", " ", contracts.CodeInvalidInput},
		"ErrPlaceholder": {"command", "a {rejection_file}", contracts.CodeInvalidInput},
		"ErrShell":       {"command", "a; b", contracts.CodeInvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := FindAgent(test.name, test.command)
			wantCode(t, err, test.code)
		})
	}
	t.Run("Lists", func(t *testing.T) {
		environ := []string{"PATH=" + os.Getenv("PATH")}
		for command, want := range map[string]string{
			"": "builtin installed, command missing", "sh -c x": "builtin installed, command installed", "no-such-program": "builtin installed, command missing",
		} {
			var got []string
			for _, preset := range Agents(command, t.TempDir(), environ) {
				state := " missing"
				if preset.Installed {
					state = " installed"
				}
				got = append(got, preset.Name+state)
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%q: got %v", command, got)
			}
		}
	})
}

// TestRelativeAgent takes the project's own program, not the one that the candidate brings.
func TestRelativeAgent(t *testing.T) {
	p := newProject(t).withCommit()
	p.task("T1", "true")
	script := filepath.Join(p.dir, "agent.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexit 126\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	mustCommit(p.dir)
	if err := os.Remove(script); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/bin/true", script); err != nil {
		t.Fatal(err)
	}
	_, err := p.spawner(p.running("./agent.sh")).SpawnValidator(t.Context(), request("T1"))
	if fault, ok := errors.AsType[*contracts.Fault](err); !ok || fault.Kind != contracts.FaultPartial {
		t.Errorf("got %v", err)
	}
}
