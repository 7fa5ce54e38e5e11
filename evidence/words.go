package evidence

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/cleocode/cleo-validator/contracts"
)

// maxCommand bounds a command line in bytes.
const maxCommand = 64 << 10

// SplitWords splits one simple command into its words as a POSIX shell does. Quotes and backslashes are honoured;
// nothing is expanded, so that $HOME, ~ and *.go stay as they are written. What needs a shell to mean anything is
// refused: operators, redirections, substitutions and line breaks outside quotes, and assignments before the command.
// The error is a [contracts.Error] with [contracts.CodeInvalidInput].
func SplitWords(line string) ([]string, error) {
	if len(line) > maxCommand || strings.ContainsRune(line, 0) {
		return nil, badWords(line, "is longer than 64 KiB or holds a zero byte")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(line), "")
	if err != nil {
		return nil, badWords(line, "is not a command that a POSIX shell reads: "+err.Error())
	}
	if len(file.Stmts) == 0 {
		return nil, contracts.Errorf(contracts.CodeInvalidInput, "the command is blank").WithFix("name a program to run")
	}
	call, ok := simpleCommand(file)
	if !ok {
		return nil, badWords(line, "uses a shell operator outside quotes")
	}
	if len(call.Assigns) > 0 {
		return nil, contracts.Errorf(contracts.CodeInvalidInput, "command %q sets a variable before the program", cutRunes(line, 200)).
			WithFix("start it with env, as in: env NAME=value program")
	}
	words := make([]string, len(call.Args))
	for i, word := range call.Args {
		if words[i], ok = literalWord(line, word.Parts); !ok {
			return nil, badWords(line, "uses a shell substitution outside quotes")
		}
	}
	if words[0] == "" {
		return nil, badWords(line, "names the empty string as its program")
	}
	return words, nil
}

// simpleCommand returns the one command of the file when there is nothing around it.
func simpleCommand(file *syntax.File) (*syntax.CallExpr, bool) {
	if len(file.Stmts) != 1 {
		return nil, false
	}
	stmt := file.Stmts[0]
	if stmt.Negated || stmt.Semicolon.IsValid() || len(stmt.Redirs) > 0 { // the parser's semicolon is the ampersand too
		return nil, false
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return call, ok
}

// literalWord puts the parts of a word together without expanding any. It returns false for an unquoted substitution.
func literalWord(line string, parts []syntax.WordPart) (string, bool) {
	var out strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			out.WriteString(unescape(part.Value, nil))
		case *syntax.SglQuoted:
			out.WriteString(part.Value)
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				if lit, ok := inner.(*syntax.Lit); ok {
					out.WriteString(unescape(lit.Value, []byte("$`\"\\")))
				} else {
					out.WriteString(source(line, inner))
				}
			}
		case *syntax.ParamExp:
			out.WriteString(source(line, part))
		default:
			return "", false
		}
	}
	return out.String(), true
}

// unescape removes the backslash before each byte of special, or before every byte when special is nil.
func unescape(s string, special []byte) string {
	var out []byte
	for i := 0; i < len(s); i++ {
		next := i + 1
		if s[i] == '\\' && next < len(s) && (special == nil || strings.IndexByte(string(special), s[next]) >= 0) {
			i = next
		}
		out = append(out, s[i])
	}
	return string(out)
}

func source(line string, node syntax.Node) string {
	return line[node.Pos().Offset():node.End().Offset()]
}

func badWords(line, reason string) error {
	return contracts.Errorf(contracts.CodeInvalidInput, "command %q %s", cutRunes(line, 200), reason).
		WithFix("quote the character, or hand the whole line to a shell: sh -c '…'")
}
