package git_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// project is a real repository in a directory whose name is as bad as names get.
type project struct {
	t *testing.T
	git.Repo
	dir string
}

func empty(t *testing.T) project {
	t.Helper()
	t.Setenv("HOME", t.TempDir()) // no identity, no settings of whoever runs the tests
	t.Setenv("XDG_CONFIG_HOME", "")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, "a path\nwith 'blanks'")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	p := project{t, git.At(dir), dir}
	p.must("init", "--quiet", "--initial-branch=main")
	return p
}

// filled returns a repository with one commit of the file a.
func filled(t *testing.T) project {
	t.Helper()
	p := empty(t)
	p.write("a", "one\n")
	p.commit("first")
	return p
}

func (p project) must(args ...string) string {
	p.t.Helper()
	out, err := p.Run(p.t.Context(), args...)
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func (p project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p project) commit(message string) string {
	p.t.Helper()
	p.must("add", "--all")
	p.must("-c", "user.name=t", "-c", "user.email=t@t.invalid", "commit", "--quiet", "--allow-empty", "-m", message)
	return p.must("rev-parse", "HEAD")
}

func wantCode(t *testing.T, err error, code contracts.Code) {
	t.Helper()
	if contracts.CodeOf(err) != code {
		t.Errorf("got %v (%s), want %s", err, contracts.CodeOf(err), code)
	}
}

func wantEqual(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
