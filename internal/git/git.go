// Package git runs git, hardened: whatever the project, its configuration or the environment bring, our calls start no
// hook, no pager, no alias and no monitor, ask nobody, and believe no replaced object. Start at [At].
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/proc"
)

// Repo is the repository that a directory lies in. It is a value and holds nothing open.
type Repo struct{ dir string }

// At returns the repository around dir, which git looks for at each call.
func At(dir string) Repo { return Repo{dir: dir} }

// hardening is put before every command. A setting given here wins over every configuration file.
var hardening = []string{
	"--no-pager", "--no-replace-objects",
	"-c", "core.hooksPath=/dev/null",
	"-c", "core.fsmonitor=false",
	"-c", "core.untrackedCache=false",
	"-c", "core.splitIndex=false",
	"-c", "commit.gpgSign=false",
	"-c", "gc.auto=0",
	"-c", "maintenance.auto=false",
	"-c", "submodule.recurse=false",
	"-c", "advice.detachedHead=false",
}

// identity is who our own commits are by, so that a home without a git identity works.
var identity = []string{
	"GIT_AUTHOR_NAME=cleo-validator", "GIT_AUTHOR_EMAIL=cleo-validator@localhost",
	"GIT_COMMITTER_NAME=cleo-validator", "GIT_COMMITTER_EMAIL=cleo-validator@localhost",
}

// environment returns this process's environment without git's variables, which could point git elsewhere.
func environment(more []string) []string {
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return strings.HasPrefix(entry, "GIT_") || strings.HasPrefix(entry, "LC_ALL=")
	})
	env = append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	return append(env, more...)
}

// Run runs one git command in the directory and returns what it printed. A command that fails is a [contracts.Error]
// with [contracts.CodeGitFailed] and the end of what git complained; a git that is not installed is one with
// [contracts.CodeToolNotResolved]. The end of ctx is returned as its cause.
func (r Repo) Run(ctx context.Context, args ...string) (string, error) {
	return r.runWith(ctx, nil, args...)
}

func (r Repo) runWith(ctx context.Context, env []string, args ...string) (string, error) {
	out, err := r.call(ctx, env, args...)
	if err != nil {
		return "", err
	}
	if out.exit.Code != 0 {
		return "", out.failure(args[0])
	}
	return out.stdout, nil
}

// answer is what one git command came back with, whatever its exit code.
type answer struct {
	exit           proc.Exit
	stdout, stderr string
}

// call runs one git command; the error says that it did not run to its end.
func (r Repo) call(ctx context.Context, env []string, args ...string) (answer, error) {
	var stdout, stderr bytes.Buffer
	exit, err := proc.Run(ctx, proc.Command{
		Argv: slices.Concat([]string{"git"}, hardening, args), Dir: r.dir, Env: environment(env),
		Stdout: &stdout, Stderr: &stderr,
	})
	switch {
	case ctx.Err() != nil && err != nil:
		return answer{}, err
	case isMissing(err):
		return answer{}, contracts.Errorf(contracts.CodeToolNotResolved, "starting git: %w", err).
			WithFix("install git, or put it on PATH")
	case err != nil:
		return answer{}, contracts.Errorf(contracts.CodeGitFailed, "running git in %q: %w", r.dir, err)
	}
	return answer{exit, stdout.String(), stderr.String()}, nil
}

// maxComplaint is how many bytes of git's complaint are kept.
const maxComplaint = 2 << 10

// failure is the error for a command that ended with anything but 0.
func (a answer) failure(command string) *contracts.Error {
	complaint := strings.TrimSpace(a.stderr)
	if len(complaint) > maxComplaint {
		complaint = "…" + complaint[len(complaint)-maxComplaint:]
	}
	complaint = strings.ToValidUTF8(complaint, "\ufffd")
	ended := fmt.Sprintf("exit code %d", a.exit.Code)
	if a.exit.Signal != 0 {
		ended = "signal " + a.exit.Signal.String()
	}
	return contracts.Errorf(contracts.CodeGitFailed, "git %s failed with %s: %s", command, ended, complaint)
}

// isMissing reports whether git itself could not be started.
func isMissing(err error) bool {
	_, ok := errors.AsType[*contracts.Fault](err)
	return ok
}
