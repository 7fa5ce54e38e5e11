package evidence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

func TestParseAtoms(t *testing.T) {
	commit, files, tool := evidence.KindCommit, evidence.KindFiles, evidence.KindTool
	tests := []struct {
		name, in string
		want     []evidence.Atom
	}{
		{"tool", "tool:test", []evidence.Atom{{tool, "test"}}},
		{"tool with hyphen", "tool:security-scan", []evidence.Atom{{tool, "security-scan"}}},
		{"abbreviated commit", "commit:9f3e2a1", []evidence.Atom{{commit, "9f3e2a1"}}},
		{"full commit", "commit:" + strings.Repeat("a", 40), []evidence.Atom{{commit, strings.Repeat("a", 40)}}},
		{"one file", "files:go.mod", []evidence.Atom{{files, "go.mod"}}},
		{"two files", "files:a/b.go,c d.go", []evidence.Atom{{files, "a/b.go,c d.go"}}},
		{"two atoms", "tool:test;files:go.mod", []evidence.Atom{{tool, "test"}, {files, "go.mod"}}},
		{"blanks around", " tool:test ;\tfiles: go.mod ", []evidence.Atom{{tool, "test"}, {files, "go.mod"}}},
		{"semicolon in a path", "files:a;b", []evidence.Atom{{files, "a;b"}}},
		{"unknown kind after a semicolon", "files:a;note:b", []evidence.Atom{{files, "a;note:b"}}},
		{"kind without colon after a semicolon", "files:a;tool", []evidence.Atom{{files, "a;tool"}}},
		{"colon in a path", "files:a:b", []evidence.Atom{{files, "a:b"}}},
		{"path that leads out", "files:../x", []evidence.Atom{{files, "../x"}}},
		{"the same twice", "tool:test;tool:test", []evidence.Atom{{tool, "test"}, {tool, "test"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := evidence.ParseAtoms(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("atoms differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseAtomsRefuses(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", `""`},
		{"blanks", "  ", `""`},
		{"no kind", "test", `"test"`},
		{"unknown kind", "foo:bar", "commit, files, tool"},
		{"kind in capitals", "Tool:test", `unknown kind "Tool"`},
		{"tool without a name", "tool:", "tool's name"},
		{"tool in capitals", "tool:Test", "tool's name"},
		{"tool with arguments", "tool:test -v", "tool's name"},
		{"tool before an unknown kind", "tool:test;foo:bar", "separates only before a known kind"},
		{"trailing semicolon", "tool:test;", `"tool:test;"`},
		{"short commit", "commit:9f3e2a", "7 to 40"},
		{"long commit", "commit:" + strings.Repeat("a", 41), "7 to 40"},
		{"branch", "commit:main-branch", "hexadecimal"},
		{"no files", "files:", "path is empty"},
		{"empty path", "files:a,,b", "path is empty"},
		{"line break in a path", "files:a\nb", "control character"},
		{"zero byte in a path", "files:a\x00", "control character"},
		{"not UTF-8", "files:\xff", "UTF-8"},
		{"second atom wrong", "tool:test;commit:xyz", `"commit:xyz"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := evidence.ParseAtoms(tt.in)
			if contracts.CodeOf(err) != contracts.CodeInvalidInput {
				t.Fatalf("error is %v, want %s", err, contracts.CodeInvalidInput)
			}
			env := contracts.Envelope(err)
			if told := env.Message + " " + env.Fix; !strings.Contains(told, tt.want) {
				t.Errorf("it says %q, want it to name %q", told, tt.want)
			}
		})
	}
}

func FuzzParseAtoms(f *testing.F) {
	for _, seed := range []string{"tool:test", "tool:test; files:go.mod , a b", "commit:9f3e2a1;files:a;b;tool:lint", "files:a;tool :x", "files:\u00a0a", "files:;tool:x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		atoms, err := evidence.ParseAtoms(in)
		if err != nil {
			return
		}
		printed := evidence.FormatAtoms(atoms)
		again, err := evidence.ParseAtoms(printed)
		if err != nil {
			t.Fatalf("%q was read, but not as printed, %q: %v", in, printed, err)
		}
		if diff := cmp.Diff(atoms, again); diff != "" {
			t.Fatalf("%q and its print %q differ (-first +second):\n%s", in, printed, diff)
		}
		if twice := evidence.FormatAtoms(again); twice != printed {
			t.Fatalf("printing is not stable: %q, then %q", printed, twice)
		}
	})
}
