package evidence

import (
	"context"
	"fmt"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// ValidateCheck returns an error unless c can be run: exactly one of a command that [SplitWords] splits and atoms
// that [ParseAtoms] reads, no negative bound, and no expectation that its form ignores. The error is a
// [contracts.Error] with [contracts.CodeInvalidInput].
func ValidateCheck(c contracts.Check) error {
	_, _, err := readCheck(c)
	return err
}

// RunCheck runs the machine check of one criterion now. Errors are those of [Evaluate]; a check that [ValidateCheck]
// refuses is refused here too. Of several atoms all are evaluated: one that cannot be is a fault, whatever the others
// are.
func RunCheck(ctx context.Context, site Site, c contracts.Check) (Result, error) {
	argv, atoms, err := readCheck(c)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	site.Timeout = c.Timeout(site.timeout())
	if len(argv) == 0 {
		return runAtoms(ctx, site, atoms)
	}
	result, err := runCommand(ctx, site, argv, site.Timeout, expectation{c.ExpectedExitCode, c.ExpectedOutputContains})
	if err != nil {
		return Result{}, err
	}
	result.Kind, result.Payload = KindCommand, c.Command
	return result, nil
}

func readCheck(c contracts.Check) (argv []string, atoms []Atom, err error) {
	if (c.Command == "") == (c.Atoms == "") {
		return nil, nil, contracts.Errorf(contracts.CodeInvalidInput, "a check needs either a command or atoms").
			WithFix("give exactly one of command and atoms")
	}
	if c.TimeoutMs < 0 {
		return nil, nil, contracts.Errorf(contracts.CodeInvalidInput, "the check's timeout is negative: %d ms", c.TimeoutMs).
			WithFix("give a positive timeout, or none for the default")
	}
	if c.Command != "" {
		argv, err = SplitWords(c.Command)
		return argv, nil, err
	}
	if c.ExpectedExitCode != 0 || c.ExpectedOutputContains != "" {
		return nil, nil, contracts.Errorf(contracts.CodeInvalidInput, "an expected exit code or output needs a command").
			WithFix("leave the expectation out; an atom says itself what passes")
	}
	atoms, err = ParseAtoms(c.Atoms)
	return nil, atoms, err
}

// runAtoms evaluates atoms one after the other within one bound.
func runAtoms(ctx context.Context, site Site, atoms []Atom) (Result, error) {
	result := Result{Kind: KindAtoms, Payload: FormatAtoms(atoms)}
	left := site.Timeout
	for _, atom := range atoms {
		if left <= 0 {
			return Result{}, &contracts.Fault{
				Kind:    contracts.FaultTimeout,
				Message: fmt.Sprintf("%s did not end within %s", result.Payload, site.Timeout),
			}
		}
		part, err := Evaluate(ctx, siteWithin(site, left), atom)
		if err != nil {
			return Result{}, err
		}
		left -= time.Duration(part.DurationMs) * time.Millisecond
		result.DurationMs += part.DurationMs
		result.Parts = append(result.Parts, part)
	}
	return summarise(result), nil
}

func siteWithin(site Site, timeout time.Duration) Site {
	site.Timeout = timeout
	return site
}

// summarise fills the whole from its parts: the first one that failed speaks for it, else the last one.
func summarise(result Result) Result {
	speaker, anyFailed := failed(result.Parts)
	result.OK = !anyFailed
	result.Reason = fmt.Sprintf("all of %s hold", result.Payload)
	if anyFailed {
		result.Reason = fmt.Sprintf("%s: %s", Atom{speaker.Kind, speaker.Payload}, speaker.Reason)
	} else {
		speaker = result.Parts[len(result.Parts)-1]
	}
	result.ExitCode, result.OutputTail = speaker.ExitCode, speaker.OutputTail
	result.Files = map[string]string{}
	for _, part := range result.Parts {
		for path, sum := range part.Files {
			result.Files[path] = sum
		}
	}
	return result
}
