package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
)

// The rule of output: results go to standard output, everything else (progress, warnings, errors) to standard error.
// With --json the result is one JSON document a line, and so is the error envelope of a failed command.

// alwaysJSON marks the tool commands, whose result is their JSON envelope with or without --json.
const alwaysJSON = "alwaysJSON"

// printJSON writes v as one line.
func (h host) printJSON(v any) error {
	line, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("formatting the result: %w", err)
	}
	return h.write(append(line, '\n'))
}

func (h host) write(b []byte) error {
	if _, err := h.out.Write(b); err != nil {
		return contracts.Errorf(contracts.CodeInvalidInput, "writing the result: %w", err).
			WithFix("give standard output a place that can be written")
	}
	return nil
}

// result prints v: as JSON when asJSON, else through human.
func (h host) result(asJSON bool, v any, human func(w io.Writer)) error {
	if asJSON {
		return h.printJSON(v)
	}
	var text strings.Builder
	human(&text)
	return h.write([]byte(text.String()))
}

// warn tells the person at the terminal something that does not change the result.
func (h host) warn(format string, args ...any) {
	fmt.Fprintf(h.err, "warning: %s\n", oneLine(fmt.Sprintf(format, args...)))
}

// reportError prints err in the project's form; a bare exit status prints nothing.
func (h host) reportError(command string, err error, asJSON bool) {
	if _, silent := err.(exitStatus); silent {
		return
	}
	env := contracts.Envelope(err)
	if env.Code == contracts.CodeInvalidInput && env.Fix == "" {
		env.Fix = "see " + command + " --help"
	}
	fmt.Fprintf(h.err, "error: %s (%s)\n", oneLine(env.Message), env.Code)
	if env.Fix != "" {
		fmt.Fprintf(h.err, "fix: %s\n", oneLine(env.Fix))
	}
	if asJSON {
		_ = h.printJSON(env) // the exit code still tells of the failure
	}
}

// oneLine keeps a message that quotes somebody else's text on one line and free of terminal control characters.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0):
			return '�'
		}
		return r
	}, strings.TrimSpace(s))
}
