package git_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
)

func TestRun(t *testing.T) {
	t.Run("ErrGitFailed", func(t *testing.T) {
		_, err := filled(t).Run(t.Context(), "show", "no-such-thing")
		wantCode(t, err, contracts.CodeGitFailed)
		if !strings.Contains(err.Error(), "no-such-thing") {
			t.Errorf("the error does not say what git complained of: %v", err)
		}
	})
	t.Run("ErrNotInstalled", func(t *testing.T) {
		p := filled(t)
		t.Setenv("PATH", t.TempDir())
		_, err := p.Run(t.Context(), "status")
		wantCode(t, err, contracts.CodeToolNotResolved)
	})
	t.Run("ErrCancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		cancel(cause)
		if _, err := git.At(t.TempDir()).Run(ctx, "status"); !errors.Is(err, cause) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("GitVariablesAreOff", func(t *testing.T) {
		p := filled(t)
		t.Setenv("GIT_DIR", t.TempDir())
		t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
		p.must("status")
	})
	t.Run("HooksAndMonitorsAreOff", func(t *testing.T) {
		p := filled(t)
		mark := filepath.Join(t.TempDir(), "mark")
		p.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch '"+mark+"'\n")
		p.write(".git/hooks/fsmonitor", "#!/bin/sh\ntouch '"+mark+"'\n")
		for _, hook := range []string{"post-checkout", "fsmonitor"} {
			if err := os.Chmod(filepath.Join(p.dir, ".git/hooks", hook), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		p.must("config", "core.fsmonitor", filepath.Join(p.dir, ".git/hooks/fsmonitor"))
		if err := p.AddWorktree(t.Context(), filepath.Join(t.TempDir(), "w"), "HEAD"); err != nil {
			t.Fatal(err)
		}
		p.must("status")
		if _, err := os.Stat(mark); err == nil {
			t.Error("a hook ran")
		}
	})
	t.Run("ReplacedObjectsAreNotBelieved", func(t *testing.T) {
		p := filled(t)
		first := p.must("rev-parse", "HEAD")
		p.write("a", "two\n")
		p.must("replace", first, p.commit("second"))
		if got := p.must("show", first+":a"); got != "one" {
			t.Errorf("the commit holds %q", got)
		}
	})
}

func TestResolve(t *testing.T) {
	for _, rev := range []string{"HEAD", "main", "light", "annotated", "@"} {
		t.Run("OK_"+rev, func(t *testing.T) {
			p := filled(t)
			p.must("tag", "light")
			p.must("-c", "user.name=t", "-c", "user.email=t@t.invalid", "tag", "-m", "a tag", "annotated")
			want := contracts.Subject{Commit: p.must("rev-parse", "HEAD"), Tree: p.must("rev-parse", "HEAD^{tree}")}
			got, err := p.Resolve(t.Context(), rev)
			if err != nil || got != want {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
		})
	}
	for _, rev := range []string{"", "nope", "--all", "HEAD:a", "a\x00b", strings.Repeat("0", 40)} {
		t.Run("ErrUnknown_"+rev, func(t *testing.T) {
			_, err := filled(t).Resolve(t.Context(), rev)
			wantCode(t, err, contracts.CodeInvalidInput)
		})
	}
	t.Run("ErrNoCommit", func(t *testing.T) {
		_, err := empty(t).Resolve(t.Context(), "HEAD")
		wantCode(t, err, contracts.CodeNotARepository)
	})
	t.Run("ErrNoRepository", func(t *testing.T) {
		_, err := git.At(t.TempDir()).Resolve(t.Context(), "HEAD")
		wantCode(t, err, contracts.CodeNotARepository)
	})
	t.Run("ErrNoDirectory", func(t *testing.T) {
		_, err := git.At(filepath.Join(t.TempDir(), "absent")).Resolve(t.Context(), "HEAD")
		wantCode(t, err, contracts.CodeNotARepository)
	})
}

func TestPlaces(t *testing.T) {
	p := filled(t)
	p.write("deep/er/file", "")
	below := git.At(filepath.Join(p.dir, "deep/er"))
	if got, err := below.TopLevel(t.Context()); err != nil || got != p.dir {
		t.Errorf("top level: %q, %v", got, err)
	}
	if got, err := below.Prefix(t.Context()); err != nil || got != "deep/er/" {
		t.Errorf("prefix: %q, %v", got, err)
	}
	if got, err := below.CommonDir(t.Context()); err != nil || got != filepath.Join(p.dir, ".git") {
		t.Errorf("common directory: %q, %v", got, err)
	}
	_, err := git.At(t.TempDir()).TopLevel(t.Context())
	wantCode(t, err, contracts.CodeNotARepository)
}

func TestReachable(t *testing.T) {
	p := filled(t)
	first := p.must("rev-parse", "HEAD")
	second := p.commit("second")
	p.must("checkout", "--quiet", "-b", "aside", first)
	aside := p.commit("aside")
	tree := p.must("rev-parse", "HEAD^{tree}")
	p.must("branch", "abcdef12", second)
	for name, test := range map[string]struct {
		commit, from string
		want         bool
	}{
		"Itself":            {second, second, true},
		"Ancestor":          {first, second, true},
		"Abbreviated":       {first[:8], second, true},
		"UpperCase":         {strings.ToUpper(first), second, true},
		"Descendant":        {second, first, false},
		"OtherBranch":       {aside, second, false},
		"Absent":            {strings.Repeat("1", 40), second, false},
		"ATree":             {tree, second, false},
		"ABranchName":       {"main", second, false},
		"ABranchLikeAnID":   {"abcdef12", second, false},
		"AnOption":          {"--all", second, false},
		"TooShort":          {first[:3], second, false},
		"Empty":             {"", second, false},
		"ARevisionOperator": {first + "~0", second, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := p.Reachable(t.Context(), test.commit, test.from)
			if err != nil || got != test.want {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
	t.Run("ErrFromUnknown", func(t *testing.T) {
		_, err := p.Reachable(t.Context(), first, strings.Repeat("1", 40))
		wantCode(t, err, contracts.CodeGitFailed)
	})
}
