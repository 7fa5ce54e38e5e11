package spawn

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestSpawnValidator(t *testing.T) {
	t.Run("Attests", func(t *testing.T) {
		p := newProject(t).withCommit()
		task := p.task("T1", "cat a", "test -f a")
		got, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		if err != nil {
			t.Fatal(err)
		}
		attested, ok := got.Verdict.Attestation()
		if !ok || len(attested.Findings) != 2 || attested.Findings[0].ACID != task.ACs[0].ID {
			t.Errorf("got %s", got.Verdict.Canonical())
		}
		if want := p.git("rev-parse", "HEAD"); got.Subject.Commit != want || got.Subject.Tree == "" {
			t.Errorf("judged %+v, want commit %s", got.Subject, want)
		}
		coverage, err := p.store.Coverage(t.Context(), "T1")
		if err != nil || len(coverage.Bindings) != 2 {
			t.Errorf("bindings: %v, %v", coverage.Bindings, err)
		}
		for _, bindings := range coverage.Bindings {
			if bindings[0].Attestation == nil || bindings[0].Attestation.Subject != got.Subject {
				t.Errorf("the binding is for %+v", bindings[0].Attestation)
			}
		}
		p.noWorktrees()
		p.wantFiles("r/1")
	})
	t.Run("Rejects", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "cat a", "false", "")
		got, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		if err != nil {
			t.Fatal(err)
		}
		rejection, ok := got.Verdict.Rejection()
		if !ok || rejection.Summary != "2 of 3 criteria do not pass: AC2 (fail), AC3 (inconclusive)" {
			t.Errorf("got %s", got.Verdict.Canonical())
		}
		if coverage, err := p.store.Coverage(t.Context(), "T1"); err != nil || len(coverage.Bindings) != 0 {
			t.Errorf("bindings: %v, %v", coverage.Bindings, err)
		}
	})
	t.Run("JudgesTheCommitAndNotTheProject", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "grep -q one a")
		mustWrite(filepath.Join(p.dir, "a"), "two")
		got, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		if err != nil || got.Verdict.Kind() != contracts.VerdictAttest {
			t.Errorf("got %s, %v", got.Verdict.Canonical(), err)
		}
	})
	t.Run("JudgesWhereTheProjectLiesInItsRepository", func(t *testing.T) {
		p := newProject(t).withCommit()
		sub := filepath.Join(p.dir, "packages", "one")
		if err := os.MkdirAll(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		mustWrite(filepath.Join(sub, "b"), "")
		mustCommit(p.dir)
		p.task("T1", "test -f b")
		p.dir = sub
		got, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		if err != nil || got.Verdict.Kind() != contracts.VerdictAttest {
			t.Errorf("got %s, %v", got.Verdict.Canonical(), err)
		}
	})
	t.Run("JudgesTheSnapshot", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "grep -q two a", "test -f new")
		mustWrite(filepath.Join(p.dir, "a"), "two")
		mustWrite(filepath.Join(p.dir, "new"), "")
		got, err := p.spawner(func(o *Options) { o.IncludeDirty = true }).SpawnValidator(t.Context(), request("T1"))
		if err != nil || got.Verdict.Kind() != contracts.VerdictAttest || got.Subject.Commit == p.git("rev-parse", "HEAD") {
			t.Errorf("got %+v, %s, %v", got.Subject, got.Verdict.Canonical(), err)
		}
	})
	t.Run("JudgesTheRevisionAsItIsNow", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "grep -q two a")
		s := p.spawner(func(o *Options) { o.Rev = "main" })
		first, err := s.SpawnValidator(t.Context(), request("T1"))
		if err != nil || first.Verdict.Kind() != contracts.VerdictReject {
			t.Fatalf("got %s, %v", first.Verdict.Canonical(), err)
		}
		mustWrite(filepath.Join(p.dir, "a"), "two")
		mustCommit(p.dir)
		req := request("T1")
		req.AttemptNumber, req.ValidatorID, req.PreviousRejection = 2, "validator-2", first.Verdict
		second, err := s.SpawnValidator(t.Context(), req)
		if err != nil || second.Verdict.Kind() != contracts.VerdictAttest || second.Subject == first.Subject {
			t.Errorf("got %s, %v", second.Verdict.Canonical(), err)
		}
		prompt, err := os.ReadFile(filepath.Join(p.dir, ".cleo/runs/r/2/prompt.md"))
		if err != nil || !strings.Contains(string(prompt), "\n> cmd:grep -q two a: exit code 1") {
			t.Errorf("the previous finding is not in the prompt: %v\n%s", err, prompt)
		}
	})
	t.Run("InTheProjectItself", func(t *testing.T) {
		p := newProject(t) // without git
		p.task("T1", "test -f a")
		mustWrite(filepath.Join(p.dir, "a"), "")
		s, err := New(p.store, p.tools(), Options{
			ProjectRoot: p.dir, NoWorktree: true, Environ: []string{"PATH=" + os.Getenv("PATH")},
			Self: []string{self(t), "part-builtin"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Preflight(t.Context(), "T1"); err != nil {
			t.Error(err)
		}
		got, err := s.SpawnValidator(t.Context(), request("T1"))
		if err != nil || got.Verdict.Kind() != contracts.VerdictAttest || got.Subject != (contracts.Subject{}) {
			t.Errorf("got %s, %+v, %v", got.Verdict.Canonical(), got.Subject, err)
		}
	})
	t.Run("Keeps", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "cat a")
		s := p.spawner(func(o *Options) { o.Keep = true })
		for range 2 { // of two with the same name, neither is pruned
			if _, err := s.SpawnValidator(t.Context(), request("T1")); err != nil {
				t.Fatal(err)
			}
			if note := <-p.warnings; !strings.Contains(note, "kept: "+p.state) {
				t.Errorf("told %q", note)
			}
		}
		for _, name := range []string{"r-1", "r-1.2"} {
			if !slices.Contains(p.worktrees(), name) {
				t.Errorf("there are %q, want %s", p.worktrees(), name)
			}
		}
	})
	t.Run("EightAtOnce", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "cat a")
		var all sync.WaitGroup
		for i := range 8 {
			s := p.spawner() // as eight processes would
			all.Go(func() {
				req := request("T1")
				req.RunID = "r" + string(rune('0'+i))
				req.ValidatorID = "validator-" + string(rune('0'+i))
				if got, err := s.SpawnValidator(t.Context(), req); err != nil || got.Verdict.Kind() != contracts.VerdictAttest {
					t.Errorf("attempt %d: %s, %v", i, got.Verdict.Canonical(), err)
				}
			})
		}
		all.Wait()
		p.noWorktrees()
	})
}

// wantFiles makes sure that the attempt left its files, for nobody but the owner.
func (p *project) wantFiles(attempt string) {
	p.Helper()
	dir := filepath.Join(p.dir, ".cleo/runs", attempt)
	for _, name := range []string{".", "prompt.md", "assignment.json", "stdout.log", "stderr.log"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			p.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

func TestSpawnValidatorStopsOnCancel(t *testing.T) {
	p := newProject(t).withCommit()
	p.task("T1", "true")
	path, held := newFifo(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	ready := make(chan struct{})
	go func() { awaitHolder(t, held); cancel(cause); close(ready) }()
	_, err := p.spawner(p.playing("part-stubborn", path)).SpawnValidator(ctx, request("T1"))
	<-ready
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
	awaitAbandoned(t, path, held)
	p.noWorktrees()
}

func TestSpawnValidatorRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		request func(*contracts.SpawnRequest)
		code    contracts.Code
	}{
		"ErrTask":        {func(r *contracts.SpawnRequest) { r.TaskID = "T9" }, contracts.CodeTaskNotFound},
		"ErrTaskID":      {func(r *contracts.SpawnRequest) { r.TaskID = "" }, contracts.CodeInvalidInput},
		"ErrRunID":       {func(r *contracts.SpawnRequest) { r.RunID = "../../x" }, contracts.CodeInvalidInput},
		"ErrAttempt":     {func(r *contracts.SpawnRequest) { r.AttemptNumber = 0 }, contracts.CodeInvalidInput},
		"ErrValidatorID": {func(r *contracts.SpawnRequest) { r.ValidatorID = "me" }, contracts.CodeInvalidInput},
		"ErrWorker":      {func(r *contracts.SpawnRequest) { r.ValidatorID = "validator-w" }, contracts.CodeNotIndependent},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t).withCommit()
			p.task("T1", "true")
			if err := p.store.RecordWorker(t.Context(), "T1", "validator-w"); err != nil {
				t.Fatal(err)
			}
			req := request("T1")
			test.request(&req)
			_, err := p.spawner().SpawnValidator(t.Context(), req)
			wantCode(t, err, test.code)
			if _, err := os.Stat(filepath.Join(p.dir, ".cleo")); err == nil {
				t.Error("files were written")
			}
		})
	}
	t.Run("ErrOptions", func(t *testing.T) {
		p := newProject(t)
		for name, opts := range map[string]Options{
			"NoSelf":       {},
			"TwoSubjects":  {Self: []string{"x"}, Rev: "main", IncludeDirty: true},
			"PassEnvValue": {Self: []string{"x"}, PassEnv: []string{"A=b"}},
			"PassEnvOwn":   {Self: []string{"x"}, PassEnv: []string{"CLEO_TASK_ID"}},
		} {
			if _, err := New(p.store, p.tools(), opts); contracts.CodeOf(err) != contracts.CodeInvalidInput {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}

func TestSmallerTier(t *testing.T) {
	p := newProject(t).withCommit()
	p.task("T1", "true")
	out := filepath.Join(t.TempDir(), "out")
	req := request("T1")
	req.DowngradeModelTier = true
	s := p.spawner(p.running("sh -c 'printf %s\"|\" \"$@\" >\"$0\"' " + quoteWord(out) + " {model} x{task}x $CLEO_MODEL_TIER {worktree}"))
	if _, err := s.SpawnValidator(t.Context(), req); err == nil {
		t.Error("an agent without a verdict attested")
	}
	got, err := os.ReadFile(out)
	if err != nil || !strings.HasPrefix(string(got), "small|xT1x|$CLEO_MODEL_TIER|"+p.state) {
		t.Errorf("got %q, %v", got, err)
	}
}
