package evidence_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

// newSite returns a site whose worktree is a fresh directory with the given files.
func newSite(t *testing.T, files map[string]string) evidence.Site {
	t.Helper()
	site := evidence.Site{Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}}
	for name, content := range files {
		write(t, filepath.Join(site.Dir, name), content)
	}
	return site
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	mode := os.FileMode(0o644)
	if strings.HasPrefix(content, "#!") {
		mode = 0o755
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// git runs git in dir with an identity of its own and returns its output without the line break.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// verdictOf names how an evaluation ended: pass, fail, fault <kind>, or the code of another error.
func verdictOf(result evidence.Result, err error) string {
	if fault, ok := errors.AsType[*contracts.Fault](err); ok {
		return "fault " + string(fault.Kind)
	}
	switch {
	case err != nil:
		return string(contracts.CodeOf(err))
	case result.OK:
		return "pass"
	}
	return "fail"
}
