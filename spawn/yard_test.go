package spawn

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// lead opens a worktree and holds it until it is killed.
func lead(args []string) {
	s, err := New(nil, nil, Options{ProjectRoot: args[0], StateDir: args[1], Self: []string{"x"}})
	if err == nil {
		_, err = s.open(context.Background(), "crashed-1", false)
	}
	if err != nil {
		panic(err)
	}
	hold(args[2])
}

func TestPrune(t *testing.T) {
	t.Run("WhatAKilledLeadLeftButNotWhatALiveOneHas", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		path, held := newFifo(t)
		cmd := exec.Command(self(t), "part-lead", p.dir, p.state, path)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		awaitHolder(t, held)
		for i, want := range []bool{true, false} {
			if _, err := p.spawner().SpawnValidator(t.Context(), request("T1")); err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(p.worktrees(), "crashed-1"); got != want {
				t.Errorf("round %d: the worktree is there: %v", i, got)
			}
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
		p.noWorktrees()
	})
	t.Run("LocksWithoutWorktree", func(t *testing.T) {
		p := newProject(t).withCommit()
		y, err := p.spawner().yard(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(y.dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"x-1.lock", "y-1.lease", "z-1.kept", "z-1.lock"} {
			mustWrite(filepath.Join(y.dir, name), "")
		}
		w, err := y.add(t.Context(), "r-1", "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		if left := p.worktrees(); !slices.Equal(left, []string{"r-1", "r-1.lock"}) {
			t.Errorf("left: %q", left)
		}
		w.Close(t.Context())
		p.noWorktrees()
	})
	t.Run("NothingOfTheOwners", func(t *testing.T) {
		p := newProject(t).withCommit()
		own := filepath.Join(t.TempDir(), "own")
		p.git("worktree", "add", "--quiet", own)
		if err := os.RemoveAll(own); err != nil { // on a disk that is not mounted now, say
			t.Fatal(err)
		}
		p.task("T1", "true")
		if _, err := p.spawner().SpawnValidator(t.Context(), request("T1")); err != nil {
			t.Fatal(err)
		}
		if list := p.git("worktree", "list", "--porcelain"); !strings.Contains(list, own) {
			t.Errorf("the owner's worktree was pruned:\n%s", list)
		}
	})
	t.Run("ClosesOnACancelledContext", func(t *testing.T) {
		p := newProject(t).withCommit()
		ctx, cancel := context.WithCancel(t.Context())
		place, err := p.spawner().open(ctx, "r-1", false)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		place.Close(ctx)
		p.noWorktrees()
	})
	t.Run("ErrCommit", func(t *testing.T) {
		p := newProject(t).withCommit()
		y, err := p.spawner().yard(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = y.add(t.Context(), "r-1", strings.Repeat("1", 40))
		wantCode(t, err, contracts.CodeGitFailed)
		p.noWorktrees()
	})
	t.Run("ErrStateDirectoryIsAFile", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		mustWrite(p.state, "")
		_, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		wantCode(t, err, contracts.CodeSpawnFailed)
	})
}

func TestPrepare(t *testing.T) {
	t.Run("HandsOut", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		clock := time.Date(2026, 5, 25, 22, 18, 0, 0, time.UTC)
		at := func(o *Options) { o.Now = func() time.Time { return clock }; o.NewID = func() string { return "0a1b" } }
		got, err := p.spawner(at).Prepare(t.Context(), contracts.SpawnInput{TaskID: "T1", SpawnScope: "the\nparser"})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(got.WorktreePath, "a")); err != nil || string(text) != "one" {
			t.Errorf("the worktree holds %q, %v", text, err)
		}
		if got.TaskID != "T1" || got.ValidatorID != "validator-0a1b" || got.SessionID != "validator-T1-1-1779747480" ||
			got.Commit != p.git("rev-parse", "HEAD") {
			t.Errorf("got %+v", got)
		}
		if !strings.Contains(got.Prompt, "\n> the\n> parser\n") {
			t.Errorf("the scope is not in the prompt:\n%s", got.Prompt)
		}
		if got.Environment["CLEO_SESSION_ID"] != got.SessionID || got.Environment["PATH"] == "" {
			t.Errorf("the environment is %v", got.Environment)
		}
		for _, test := range []struct {
			passed time.Duration
			want   bool
		}{{23 * time.Hour, true}, {25 * time.Hour, false}} {
			clock = time.Date(2026, 5, 25, 22, 18, 0, 0, time.UTC).Add(test.passed)
			if _, err := p.spawner(at).SpawnValidator(t.Context(), request("T1")); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(got.WorktreePath); (err == nil) != test.want {
				t.Errorf("after %s: %v", test.passed, err)
			}
		}
		p.noWorktrees()
	})
	t.Run("InTheProjectItself", func(t *testing.T) {
		p := newProject(t)
		p.task("T1", "true")
		got, err := p.spawner().Prepare(t.Context(), contracts.SpawnInput{TaskID: "T1", NoWorktree: true})
		if err != nil || got.WorktreePath != p.dir || got.Commit != "" {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	for name, test := range map[string]struct {
		spoil func(p *project)
		code  contracts.Code
	}{
		"ErrNoCriteria":  {func(p *project) { p.task("T1") }, contracts.CodeNoACs},
		"ErrTask":        {func(*project) {}, contracts.CodeTaskNotFound},
		"ErrUncommitted": {func(p *project) { p.task("T1", "true"); mustWrite(filepath.Join(p.dir, "a"), "two") }, contracts.CodeUncommitted},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t).withCommit()
			test.spoil(p)
			_, err := p.spawner().Prepare(t.Context(), contracts.SpawnInput{TaskID: "T1"})
			wantCode(t, err, test.code)
			p.noWorktrees()
		})
	}
}
