package evidence_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cleocode/cleo-validator/evidence"
)

func TestFiles(t *testing.T) {
	site := newSite(t, map[string]string{"go.mod": "module m\n", "sub/a b.go": "x", "empty": "", "a;b": "y"})
	outside := filepath.Join(t.TempDir(), "secret")
	write(t, outside, "secret")
	for name, target := range map[string]string{
		"link-out": outside, "link-dir": filepath.Dir(outside), "link-up": "../" + filepath.Base(filepath.Dir(outside)) + "/secret",
		"link-in": "go.mod", "dangling": "nowhere", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(site.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(site.Dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, payload, want, reason string }{
		{"a file", "go.mod", "pass", "1 of"},
		{"two files", "go.mod,sub/a b.go", "pass", "2 of"},
		{"an empty file", "empty", "pass", ""},
		{"a path with a semicolon", "a;b", "pass", ""},
		{"a link inside", "link-in", "pass", ""},
		{"a path with a dot", "./sub/../go.mod", "fail", "inside"},
		{"missing", "nowhere", "fail", "nowhere: does not exist"},
		{"one of two missing", "go.mod,nowhere", "fail", "nowhere"},
		{"below a file", "go.mod/x", "fail", "go.mod/x"},
		{"a directory", "sub", "fail", "plain file"},
		{"the worktree itself", ".", "fail", "plain file"},
		{"above", "../secret", "fail", "inside"},
		{"above in the middle", "sub/../../secret", "fail", "inside"},
		{"absolute", outside, "fail", "inside"},
		{"a link out", "link-out", "fail", "escapes"},
		{"a relative link out", "link-up", "fail", "escapes"},
		{"through a link out", "link-dir/secret", "fail", "escapes"},
		{"a dangling link", "dangling", "fail", "does not exist"},
		{"a link to itself", "loop", "fail", "loop"},
		{"a pipe", "pipe", "fail", "plain file"},
		{"a name too long", strings.Repeat("n", 5000), "fail", "too long"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindFiles, Payload: tt.payload})
			if got := verdictOf(result, err); got != tt.want {
				t.Fatalf("it ended in %s (%v), want %s", got, err, tt.want)
			}
			if !strings.Contains(result.Reason, tt.reason) {
				t.Errorf("the reason is %q, want it to say %q", result.Reason, tt.reason)
			}
			for path := range result.Files {
				if strings.Contains(path, "link-out") || strings.Contains(path, "secret") {
					t.Errorf("%s was read", path)
				}
			}
		})
	}
}

func TestFilesRecordsTheirHashes(t *testing.T) {
	content := strings.Repeat("0123456789abcdef", 1<<16)
	site := newSite(t, map[string]string{"big": content, "small": "x"})
	result, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindFiles, Payload: "big, small"})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{"big": content, "small": "x"} {
		sum := sha256.Sum256([]byte(text))
		if got, want := result.Files[path], hex.EncodeToString(sum[:]); got != want {
			t.Errorf("the hash of %s is %q, want %q", path, got, want)
		}
		if ref := result.EvidenceRef(); !strings.Contains(ref, path+" sha256:"+result.Files[path]) {
			t.Errorf("the reference %q lacks %s and its hash", ref, path)
		}
	}
}

func TestFilesOfAMissingWorktreeIsAFault(t *testing.T) {
	site := evidence.Site{Dir: filepath.Join(t.TempDir(), "gone")}
	_, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindFiles, Payload: "go.mod"})
	if got := verdictOf(evidence.Result{}, err); got != "fault validator-unreachable" {
		t.Errorf("it ended in %s: %v", got, err)
	}
}

func TestEvaluateEndsWithItsContext(t *testing.T) {
	reason := errors.New("the caller gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	site := newSite(t, map[string]string{"go.mod": "module m\n"})
	for _, atom := range []evidence.Atom{{Kind: "files", Payload: "go.mod"}, {Kind: "tool", Payload: "test"}, {Kind: "commit", Payload: "1234567"}} {
		if _, err := evidence.Evaluate(ctx, site, atom); err != reason {
			t.Errorf("%s: error is %v, want the cause of the context", atom, err)
		}
	}
}

func TestEvaluateRefusesAnAtomThatWasNotParsed(t *testing.T) {
	for _, atom := range []evidence.Atom{{}, {Kind: "url", Payload: "http://x"}, {Kind: "commit", Payload: "-x"}, {Kind: "files", Payload: ""}} {
		if _, err := evidence.Evaluate(t.Context(), newSite(t, nil), atom); verdictOf(evidence.Result{}, err) != "E_INVALID_INPUT" {
			t.Errorf("%q: error is %v", atom, err)
		}
	}
}
