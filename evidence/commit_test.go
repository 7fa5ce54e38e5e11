package evidence_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cleocode/cleo-validator/evidence"
)

func TestCommit(t *testing.T) {
	site := newSite(t, map[string]string{"a": "1"})
	git(t, site.Dir, "init", "-q", "-b", "main")
	commit := func(message string) string {
		git(t, site.Dir, "add", "-A")
		git(t, site.Dir, "commit", "-q", "--allow-empty", "-m", message)
		return git(t, site.Dir, "rev-parse", "HEAD")
	}
	first, second := commit("first"), commit("second")
	git(t, site.Dir, "checkout", "-q", "-b", "other")
	elsewhere := commit("elsewhere")
	git(t, site.Dir, "checkout", "-q", "main")
	tree := git(t, site.Dir, "rev-parse", "HEAD^{tree}")
	blob := git(t, site.Dir, "rev-parse", "HEAD:a")
	tests := []struct{ name, payload, head, want string }{
		{"HEAD itself", second, "", "pass"},
		{"an ancestor", first, "", "pass"},
		{"abbreviated", first[:7], "", "pass"},
		{"in capitals", strings.ToUpper(first), "", "pass"},
		{"of another branch", elsewhere, "", "fail"},
		{"abbreviated, of another branch", elsewhere[:8], "", "fail"},
		{"absent", strings.Repeat("0", 39) + "1", "", "fail"},
		{"absent, abbreviated", "0000000", "", "fail"},
		{"a tree", tree, "", "fail"},
		{"a blob", blob, "", "fail"},
		{"later than the commit under validation", second, first, "fail"},
		{"the commit under validation", first, first, "pass"},
		{"of the other branch when that is validated", elsewhere, elsewhere, "pass"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			site := site
			site.Head = tt.head
			result, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindCommit, Payload: tt.payload})
			if got := verdictOf(result, err); got != tt.want {
				t.Fatalf("it ended in %s (%v), want %s", got, err, tt.want)
			}
			if ref := result.EvidenceRef(); ref != "commit:"+tt.payload || !strings.Contains(result.Reason, tt.payload) {
				t.Errorf("reference %q, reason %q", ref, result.Reason)
			}
		})
	}
}

func TestCommitWithoutARepositoryIsAFault(t *testing.T) {
	for name, arrange := range map[string]func(dir string){
		"no repository": func(string) {},
		"broken":        func(dir string) { write(t, filepath.Join(dir, ".git"), "gitdir: /nowhere\n") },
		"no commit":     func(dir string) { git(t, dir, "init", "-q") },
	} {
		t.Run(name, func(t *testing.T) {
			site := newSite(t, nil)
			arrange(site.Dir)
			_, err := evidence.Evaluate(t.Context(), site, evidence.Atom{Kind: evidence.KindCommit, Payload: "1234567"})
			if got := verdictOf(evidence.Result{}, err); got != "fault tool-not-resolved" {
				t.Errorf("it ended in %s: %v", got, err)
			}
		})
	}
}
