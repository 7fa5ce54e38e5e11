package evidence

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/proc"
)

// checkGrace is the time between SIGTERM and SIGKILL. It is shorter than the Lead's, so that a Validator that is being
// stopped has stopped its check before it is killed itself.
const checkGrace = 2 * time.Second

// exitNotFound is what a shell, and every program that follows it, exits with when a command is not installed.
const exitNotFound = 127

// expectation is what a command must do to pass.
type expectation struct {
	exitCode int
	output   string // in any case; empty means anything
}

// runCommand runs argv in the worktree. A program that is not there, a deadline that passed and a registry that could
// not be reached are faults; whatever else keeps the command from the expectation is the candidate's.
func runCommand(ctx context.Context, site Site, argv []string, timeout time.Duration, want expectation) (Result, error) {
	out := newOutput(want.output)
	stdout, stderr := out.stream(), out.stream()
	exit, err := proc.Run(ctx, proc.Command{
		Argv: argv, Dir: site.Dir, Env: site.Env, Stdout: stdout, Stderr: stderr, Timeout: timeout, Grace: checkGrace,
	})
	if err != nil {
		return Result{}, asFault(ctx, contracts.FaultUnreachable, "starting "+argv[0], err)
	}
	stdout.finish()
	stderr.finish()
	result := Result{Argv: argv, ExitCode: exit.Code, DurationMs: exit.Duration.Milliseconds(), OutputTail: out.Tail()}
	if exit.TimedOut {
		return Result{}, commandFault(contracts.FaultTimeout, result, "did not end within %s", timeout)
	}
	result.OK = exit.Code == want.exitCode && out.found
	if !result.OK {
		if fault := environmentFault(result, out); fault != nil {
			return Result{}, fault
		}
	}
	result.Reason = exitReason(exit, want, out.found)
	return result, nil
}

// environmentFault returns the fault that a failed command shows, nil when the failure is the candidate's.
func environmentFault(result Result, out *output) *contracts.Fault {
	switch {
	case result.ExitCode == exitNotFound:
		return commandFault(contracts.FaultToolNotResolved, result, "exited with 127, as a command that is not installed does: %s",
			lastLine(result.OutputTail))
	case result.ExitCode != 0 && out.trouble != nil:
		return commandFault(out.trouble.kind, result, "failed because of what %s lacks here: %s",
			out.trouble.manager, out.trouble.line)
	}
	return nil
}

func commandFault(kind contracts.FaultKind, result Result, format string, args ...any) *contracts.Fault {
	return &contracts.Fault{
		Kind:    kind,
		Message: strings.Join(result.Argv, " ") + " " + fmt.Sprintf(format, args...),
		Detail: map[string]any{
			"program": result.Argv[0], "argv": result.Argv, "exitCode": result.ExitCode, "outputTail": result.OutputTail,
		},
	}
}

func exitReason(exit proc.Exit, want expectation, found bool) string {
	ended := "exit code " + strconv.Itoa(exit.Code)
	if exit.Code < 0 {
		ended = "ended by signal " + exit.Signal.String()
	}
	if exit.Code != want.exitCode {
		return fmt.Sprintf("%s, expected exit code %d", ended, want.exitCode)
	}
	if !found {
		return fmt.Sprintf("%s, but its output does not contain %q", ended, want.output)
	}
	if want.output != "" {
		return fmt.Sprintf("%s, and its output contains %q", ended, want.output)
	}
	return ended
}

// lastLine returns the last line of text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
