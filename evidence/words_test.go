package evidence_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

func TestSplitWords(t *testing.T) {
	tests := []struct {
		name, line string
		want       []string
	}{
		{"plain", "go test ./...", []string{"go", "test", "./..."}},
		{"many blanks", "  a \t b  ", []string{"a", "b"}},
		{"single quotes", `sh -c 'test -z "$(gofmt -l .)"'`, []string{"sh", "-c", `test -z "$(gofmt -l .)"`}},
		{"double quotes", `a "b c"`, []string{"a", "b c"}},
		{"quotes inside a word", `a'b c'"d e"f`, []string{"ab cd ef"}},
		{"empty words", `a "" ''`, []string{"a", "", ""}},
		{"escaped blank", `a b\ c`, []string{"a", "b c"}},
		{"escaped quote", `a \'b \"c`, []string{"a", "'b", `"c`}},
		{"escapes in double quotes", `a "\" \\ \$ \x"`, []string{"a", `" \ $ \x`}},
		{"no escapes in single quotes", `a '\"'`, []string{"a", `\"`}},
		{"operators in quotes", `a '|' "&&" '>' ";"`, []string{"a", "|", "&&", ">", ";"}},
		{"escaped operators", `a \| \; \>`, []string{"a", "|", ";", ">"}},
		{"line break in quotes", "a 'b\nc'", []string{"a", "b\nc"}},
		{"continued line", "a \\\nb", []string{"a", "b"}},
		{"final line break", "make build\n", []string{"make", "build"}},
		{"variables stay", `echo $HOME ${X:-y} "$A"`, []string{"echo", "$HOME", "${X:-y}", "$A"}},
		{"substitution in double quotes stays", `echo "$(ls)"`, []string{"echo", "$(ls)"}},
		{"patterns stay", `ls *.go ? [ab] ~ {a,b}`, []string{"ls", "*.go", "?", "[ab]", "~", "{a,b}"}},
		{"dollar quotes are no POSIX", `echo $'a\n'`, []string{"echo", `$a\n`}},
		{"comment", "make build # twice", []string{"make", "build"}},
		{"assignment as an argument", "make CC=gcc", []string{"make", "CC=gcc"}},
		{"words beyond ASCII", "echo ä 日本", []string{"echo", "ä", "日本"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := evidence.SplitWords(tt.line)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("words are %q, want %q", got, tt.want)
			}
		})
	}
}

func TestSplitWordsRefuses(t *testing.T) {
	tests := []struct{ name, line, fix string }{
		{"nothing", "", "name a program"},
		{"blanks", " \t", "name a program"},
		{"only a comment", "# a", "name a program"},
		{"pipe", "a | b", "sh -c"},
		{"and", "a && b", "sh -c"},
		{"or", "a || b", "sh -c"},
		{"sequence", "a; b", "sh -c"},
		{"final semicolon", "a;", "sh -c"},
		{"background", "a &", "sh -c"},
		{"output redirection", "a > b", "sh -c"},
		{"error redirection", "a 2>&1", "sh -c"},
		{"input redirection", "a < b", "sh -c"},
		{"subshell", "(a)", "sh -c"},
		{"group", "{ a; }", "sh -c"},
		{"negation", "! a", "sh -c"},
		{"two lines", "a\nb", "sh -c"},
		{"substitution", "a $(b)", "sh -c"},
		{"backquotes", "a `b`", "sh -c"},
		{"arithmetic", "a $((1+1))", "sh -c"},
		{"compound command", "if a; then b; fi", "sh -c"},
		{"function", "f() { a; }", "sh -c"},
		{"here document", "cat <<E\na\nE\n", "sh -c"},
		{"open quote", "a 'b", "sh -c"},
		{"open double quote", `a "b`, "sh -c"},
		{"empty program", `"" a`, "sh -c"},
		{"assignment", "CC=gcc make", "env NAME=value"},
		{"only an assignment", "CC=gcc", "env NAME=value"},
		{"zero byte", "a \x00", "sh -c"},
		{"too long", "a " + strings.Repeat("b", 64<<10), "sh -c"},
		{"deeply nested", strings.Repeat("$(", 20000), "sh -c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words, err := evidence.SplitWords(tt.line)
			if contracts.CodeOf(err) != contracts.CodeInvalidInput {
				t.Fatalf("words %q, error %v, want %s", words, err, contracts.CodeInvalidInput)
			}
			if fix := contracts.Envelope(err).Fix; !strings.Contains(fix, tt.fix) {
				t.Errorf("the fix is %q, want it to name %q", fix, tt.fix)
			}
		})
	}
}

// TestSplitWordsAgreesWithAShell lets a real shell split what it would not expand.
func TestSplitWordsAgreesWithAShell(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		line := "w" + rapid.StringMatching(`[ a-c'"\\#=!,.:/-]{0,24}`).Draw(r, "line")
		words, err := evidence.SplitWords(line)
		out, shellErr := exec.Command("sh", "-c", `printf '%s\n' `+line).Output()
		if err != nil {
			if shellErr == nil && !strings.Contains(err.Error(), "sets a variable") {
				r.Fatalf("%q was refused, and a shell takes it: %v", line, err)
			}
			return
		}
		if shellErr != nil {
			r.Fatalf("%q was split into %q, and a shell refuses it", line, words)
		}
		if want := strings.Join(words, "\n") + "\n"; string(out) != want {
			r.Fatalf("%q was split into %q, and a shell says %q", line, words, out)
		}
	})
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}

func FuzzSplitWords(f *testing.F) {
	for _, seed := range []string{`a b`, `a "b c" 'd'`, `a\ b "$X" ${Y}`, "a \\\nb", `a "\\" '' ~ *`, `$'a'`, "a\r\n", "\"`a`\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		words, err := evidence.SplitWords(line)
		if err != nil {
			return
		}
		again, err := evidence.SplitWords(quoteAll(words))
		if len(quoteAll(words)) > 64<<10 {
			return
		}
		if err != nil || !slices.Equal(words, again) {
			t.Fatalf("%q gave %q, which quoted gives %q, %v", line, words, again, err)
		}
	})
}
