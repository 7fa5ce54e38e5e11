package git_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/internal/git"
)

// soiled returns a repository in every state that a file can be in.
func soiled(t *testing.T) project {
	t.Helper()
	p := filled(t)
	for _, name := range []string{"gone", "staged", "renamed from", "sub/changed", ".cleo/kept"} {
		p.write(name, "as committed\n")
	}
	p.write(".gitignore", "*.log\n")
	p.commit("more")
	p.write("staged", "differs\n")
	p.must("add", "staged")
	p.must("mv", "renamed from", "renamed\nto")
	p.write("sub/changed", "differs\n")
	p.write("forced.log", "ignored, but added\n")
	p.must("add", "--force", "forced.log")
	p.write("left out.log", "ignored\n")
	p.write("new dir/file", "new\n")
	p.write("new ü", "new\n")
	p.write(".cleo/kept", "differs\n")
	p.write(".cleo/new", "new\n")
	if err := os.Remove(filepath.Join(p.dir, "gone")); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestChanges(t *testing.T) {
	t.Run("Clean", func(t *testing.T) {
		changes, err := filled(t).Changes(t.Context())
		if err != nil || changes.Tracked != nil || changes.Untracked != nil {
			t.Errorf("got %q, %v", changes, err)
		}
	})
	tracked := []string{"forced.log", "gone", "renamed\nto", "renamed from", "staged", "sub/changed"}
	untracked := []string{"new dir/", "new ü"}
	t.Run("EveryState", func(t *testing.T) {
		changes, err := soiled(t).Changes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "tracked", changes.Tracked, tracked)
		wantEqual(t, "untracked", changes.Untracked, untracked)
	})
	t.Run("FromBelowTheRoot", func(t *testing.T) {
		p := soiled(t)
		p.write("sub/.cleo/new", "new\n")
		changes, err := git.At(filepath.Join(p.dir, "sub")).Changes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "tracked", changes.Tracked, append([]string{".cleo/kept"}, tracked...))
		wantEqual(t, "untracked", changes.Untracked, append([]string{".cleo/new"}, untracked...))
	})
	t.Run("Conflict", func(t *testing.T) {
		p := filled(t)
		p.must("checkout", "--quiet", "-b", "aside")
		p.write("a", "aside\n")
		p.commit("aside")
		p.must("checkout", "--quiet", "main")
		p.write("a", "main\n")
		p.commit("main")
		if _, err := p.Run(t.Context(), "-c", "user.name=t", "-c", "user.email=t@t.invalid", "merge", "aside"); err == nil {
			t.Fatal("there is no conflict")
		}
		changes, err := p.Changes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "tracked", changes.Tracked, []string{"a"})
	})
}

func TestSnapshot(t *testing.T) {
	t.Run("CleanIsHEAD", func(t *testing.T) {
		p := filled(t)
		want, err := p.Resolve(t.Context(), "HEAD")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Snapshot(t.Context()); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
	t.Run("HoldsTheWorkTreeAndTouchesNothing", func(t *testing.T) {
		p := soiled(t)
		before := p.fingerprint()
		got, err := p.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if after := p.fingerprint(); after != before {
			t.Errorf("the project changed from\n%s\nto\n%s", before, after)
		}
		names := strings.Split(p.must("ls-tree", "-r", "-z", "--name-only", got.Commit), "\x00")
		wantEqual(t, "files", names[:len(names)-1], []string{
			".cleo/kept", ".gitignore", "a", "forced.log", "new dir/file", "new ü", "renamed\nto", "staged", "sub/changed",
		})
		for name, want := range map[string]string{"sub/changed": "differs", ".cleo/kept": "as committed"} {
			if text := p.must("show", got.Commit+":"+name); text != want {
				t.Errorf("%s holds %q, want %q", name, text, want)
			}
		}
		if parent := p.must("rev-parse", got.Commit+"^"); parent != p.must("rev-parse", "HEAD") {
			t.Errorf("the parent is %s", parent)
		}
		if tree := p.must("rev-parse", got.Commit+"^{tree}"); tree != got.Tree {
			t.Errorf("the tree is %s, told was %s", tree, got.Tree)
		}
		if again, err := p.Snapshot(t.Context()); err != nil || again != got {
			t.Errorf("the same state gave %+v, then %+v, %v", got, again, err)
		}
	})
}

// fingerprint is everything that must not change: refs, index, state of the work tree.
func (p project) fingerprint() string {
	p.t.Helper()
	index, err := os.ReadFile(filepath.Join(p.dir, ".git/index"))
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Join([]string{
		p.must("for-each-ref"), p.must("rev-parse", "HEAD"), p.must("status", "--porcelain", "--ignored"), string(index),
	}, "\n---\n")
}

func TestWorktree(t *testing.T) {
	at := func(t *testing.T) string { return filepath.Join(t.TempDir(), "work\ntree of it") }
	gone := func(t *testing.T, p project, path string) {
		t.Helper()
		if _, err := os.Lstat(path); err == nil {
			t.Error("the directory is left")
		}
		if left, _ := os.ReadDir(filepath.Join(p.dir, ".git/worktrees")); len(left) > 0 {
			t.Errorf("the repository still knows of %v", left)
		}
	}
	add := func(t *testing.T, p project) string {
		t.Helper()
		path := at(t)
		if err := p.AddWorktree(t.Context(), path, p.must("rev-parse", "HEAD")); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Run("Detached", func(t *testing.T) {
		p := filled(t)
		path := add(t, p)
		if text, err := os.ReadFile(filepath.Join(path, "a")); err != nil || string(text) != "one\n" {
			t.Errorf("got %q, %v", text, err)
		}
		if _, err := git.At(path).Run(t.Context(), "symbolic-ref", "--quiet", "HEAD"); err == nil {
			t.Error("HEAD is on a branch")
		}
	})
	for name, spoil := range map[string]func(t *testing.T, path string) error{
		"Whole":   func(*testing.T, string) error { return nil },
		"Missing": func(_ *testing.T, path string) error { return os.RemoveAll(path) },
		"Corrupt": func(_ *testing.T, path string) error {
			return os.WriteFile(filepath.Join(path, ".git"), []byte("gitdir: /nowhere\n"), 0o600)
		},
		"Dirty": func(_ *testing.T, path string) error {
			return os.WriteFile(filepath.Join(path, "a"), []byte("differs"), 0o600)
		},
		"ReadOnly": func(t *testing.T, path string) error {
			dir := filepath.Join(path, "cache", "inner")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o400); err != nil {
				return err
			}
			return os.Chmod(dir, 0o500)
		},
		"Locked": func(t *testing.T, path string) error {
			_, err := git.At(path).Run(t.Context(), "worktree", "lock", path)
			return err
		},
	} {
		t.Run("Removed_"+name, func(t *testing.T) {
			p := filled(t)
			path := add(t, p)
			if err := spoil(t, path); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time it is gone
				if err := p.RemoveWorktree(t.Context(), path); err != nil {
					t.Error(err)
				}
				gone(t, p, path)
			}
		})
	}
	t.Run("OthersAreLeftAlone", func(t *testing.T) {
		p := filled(t)
		stale := add(t, p)
		if err := os.RemoveAll(stale); err != nil {
			t.Fatal(err)
		}
		if err := p.RemoveWorktree(t.Context(), add(t, p)); err != nil {
			t.Fatal(err)
		}
		if list := p.must("worktree", "list", "--porcelain", "-z"); !strings.Contains(list, stale) {
			t.Error("a worktree of somebody else was pruned")
		}
	})
	t.Run("ErrTheRepositoryItself", func(t *testing.T) {
		p := filled(t)
		if err := p.RemoveWorktree(t.Context(), p.dir); err == nil {
			t.Error("no error")
		}
		if _, err := os.Stat(filepath.Join(p.dir, "a")); err != nil {
			t.Error(err)
		}
	})
}
