package spawn

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestPreflight(t *testing.T) {
	clean := func(*project) {}
	change := func(p *project) { mustWrite(filepath.Join(p.dir, "a"), "two") }
	none := func(*Options) {}
	for name, test := range map[string]struct {
		prepare func(p *project)
		set     func(*Options)
		task    string
		code    contracts.Code
	}{
		"OK":           {clean, none, "T1", ""},
		"OKNoCriteria": {clean, none, "T2", ""}, // the run records that
		"OKUntracked":  {func(p *project) { mustWrite(filepath.Join(p.dir, "new"), "") }, none, "T1", ""},
		"OKOwnFiles": {func(p *project) {
			_ = os.Mkdir(filepath.Join(p.dir, ".cleo"), 0o700)
			mustWrite(filepath.Join(p.dir, ".cleo/x"), "")
		}, none, "T1", ""},
		"OKSnapshot":                    {change, func(o *Options) { o.IncludeDirty = true }, "T1", ""},
		"OKRevision":                    {clean, func(o *Options) { o.Rev = "main" }, "T1", ""},
		"OKNoWorktree":                  {clean, func(o *Options) { o.NoWorktree = true; o.StateDir = "" }, "T1", ""},
		"ErrUncommitted":                {change, none, "T1", contracts.CodeUncommitted},
		"ErrUncommittedWithoutWorktree": {change, func(o *Options) { o.NoWorktree = true }, "T1", contracts.CodeUncommitted},
		"ErrStaged":                     {func(p *project) { change(p); p.git("add", "a") }, none, "T1", contracts.CodeUncommitted},
		"ErrDeleted":                    {func(p *project) { _ = os.Remove(filepath.Join(p.dir, "a")) }, none, "T1", contracts.CodeUncommitted},
		"ErrTask":                       {clean, none, "T9", contracts.CodeTaskNotFound},
		"ErrRevision":                   {clean, func(o *Options) { o.Rev = "nope" }, "T1", contracts.CodeInvalidInput},
		"ErrNoCommit":                   {func(p *project) { p.git("update-ref", "-d", "HEAD") }, none, "T1", contracts.CodeNotARepository},
		"ErrNoRepository":               {func(p *project) { _ = os.RemoveAll(filepath.Join(p.dir, ".git")) }, none, "T1", contracts.CodeNotARepository},
		"ErrNotCheckedOut": {
			func(p *project) { p.git("branch", "old"); mustCommit(p.dir) },
			func(o *Options) { o.Rev, o.NoWorktree = "old", true }, "T1", contracts.CodeInvalidInput,
		},
		"ErrNoStateDir":  {clean, func(o *Options) { o.StateDir = ""; o.Environ = []string{"HOME=relative"} }, "T1", contracts.CodeSpawnFailed},
		"ErrStateInside": {clean, func(o *Options) { o.StateDir = filepath.Join(o.ProjectRoot, "state") }, "T1", contracts.CodeSpawnFailed},
		"ErrStateInsideByALink": {
			func(p *project) { _ = os.Symlink(p.dir, p.state) }, none, "T1", contracts.CodeSpawnFailed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t).withCommit()
			p.task("T1", "true")
			p.task("T2")
			test.prepare(p)
			err := p.spawner(test.set).Preflight(t.Context(), test.task)
			wantCode(t, err, test.code)
			if refusal, ok := err.(*contracts.Error); ok && refusal.Fix == "" {
				t.Error("the error does not say what to do")
			}
		})
	}
	t.Run("WarnsOfUntrackedFiles", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		mustWrite(filepath.Join(p.dir, "new\nfile"), "")
		if err := p.spawner().Preflight(t.Context(), "T1"); err != nil {
			t.Fatal(err)
		}
		if warning := <-p.warnings; !strings.Contains(warning, `"new\nfile"`) {
			t.Errorf("warned %q", warning)
		}
	})
}

func TestStateDir(t *testing.T) {
	for name, test := range map[string]struct {
		environ []string
		want    string
	}{
		"XDG":         {[]string{"XDG_STATE_HOME=/x", "HOME=/h"}, "/x/cleo-validator"},
		"Home":        {[]string{"HOME=/h"}, "/h/.local/state/cleo-validator"},
		"RelativeXDG": {[]string{"XDG_STATE_HOME=x", "HOME=/h"}, "/h/.local/state/cleo-validator"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := New(nil, nil, Options{Self: []string{"x"}, Environ: test.environ})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.stateDir(); err != nil || got != test.want {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
