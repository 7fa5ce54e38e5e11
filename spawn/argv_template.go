package spawn

import (
	"regexp"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/evidence"
)

// argvTemplate is a command line that was split into words once, with placeholders in them.
type argvTemplate []string

var placeholder = regexp.MustCompile(`\{[a-z]+(_[a-z]+)*\}`)

// parseTemplate splits line as a POSIX shell does and refuses placeholders that are not known. Braces around anything but
// a name in lower case are left alone.
func parseTemplate(line string, known ...string) (argvTemplate, error) {
	words, err := evidence.SplitWords(line)
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		for _, found := range placeholder.FindAllString(word, -1) {
			if !slices.Contains(known, found) {
				return nil, contracts.Errorf(contracts.CodeInvalidInput, "command %q has the unknown placeholder %s", line, found).
					WithFix("use %s; put anything else that needs braces into a script", strings.Join(known, ", "))
			}
		}
	}
	return words, nil
}

// expand puts the values in. A value is never split, and never searched for placeholders.
func (t argvTemplate) expand(values map[string]string) []string {
	argv := make([]string, len(t))
	for i, word := range t {
		argv[i] = placeholder.ReplaceAllStringFunc(word, func(name string) string { return values[name] })
	}
	return argv
}
