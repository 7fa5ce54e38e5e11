package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/cleocode/cleo-validator/contracts"
)

// host is everything the program takes from the outside.
type host struct {
	in      io.Reader
	out     io.Writer
	err     io.Writer
	environ []string
	now     func() time.Time
	newID   func() string
}

// run executes one command line and returns the exit code.
func (h host) run(ctx context.Context, args []string) int {
	root := newRoot(h)
	root.SetArgs(args)
	root.SetIn(h.in)
	root.SetOut(h.out)
	root.SetErr(h.err)
	cmd, err := root.ExecuteContextC(ctx)
	if err = asInterrupted(ctx, err); err != nil {
		asJSON, _ := cmd.Flags().GetBool("json")
		h.reportError(cmd.CommandPath(), err, asJSON || cmd.Annotations[alwaysJSON] != "")
	}
	return exitCode(err)
}

// asInterrupted gives an error its code that nothing but the end of ctx caused.
func asInterrupted(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || contracts.CodeOf(err) != contracts.CodeInternal {
		return err
	}
	return contracts.Errorf(contracts.CodeInterrupted, "interrupted: %w", err).WithFix("run the command again")
}

// getenv returns the last value of an environment variable, empty when it is not set.
func (h host) getenv(name string) string {
	value := ""
	for _, entry := range h.environ {
		if key, v, ok := strings.Cut(entry, "="); ok && key == name {
			value = v
		}
	}
	return value
}

// self returns the absolute path of this binary, which is also the builtin Validator.
func (h host) self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", contracts.Errorf(contracts.CodeSpawnFailed, "finding this program's own file: %w", err).
			WithFix("start cleo-validator by a path that stays valid while it runs")
	}
	return path, nil
}

// open opens a file named on the command line; - is standard input.
func (h host) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(h.in), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	return file, nil
}

// readEnvelope reads an envelope, and of one that is too large as much as the contract needs to refuse it.
func (h host) readEnvelope(name string) ([]byte, error) {
	source, err := h.open(name)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	data, err := io.ReadAll(io.LimitReader(source, envelopeLimit))
	if err != nil {
		return nil, unreadable(name, err)
	}
	return data, nil
}

// readFile reads a file named on the command line whole. limit is in bytes.
func (h host) readFile(name string, limit int64) ([]byte, error) {
	source, err := h.open(name)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	data, err := io.ReadAll(io.LimitReader(source, limit+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	if int64(len(data)) > limit {
		return nil, contracts.Errorf(contracts.CodeInvalidInput, "%s is larger than %d MiB", name, limit>>20).
			WithFix("send a smaller document")
	}
	return data, nil
}

func unreadable(name string, err error) error {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return contracts.Errorf(contracts.CodeInvalidInput, "cannot read %q: %w", name, err).
		WithFix("name a readable file, or - for standard input")
}

// findProject returns the project's directory: the one named, else the nearest parent of the working directory with a
// .cleo or .git in it, else the working directory.
func findProject(named string) (string, error) {
	if named != "" {
		dir, err := filepath.Abs(named)
		if err != nil {
			return "", fmt.Errorf("finding the project: %w", err)
		}
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", contracts.Errorf(contracts.CodeInvalidInput, "project %q is not a directory", named).
				WithFix("name the project's directory with --project")
		}
		return dir, nil
	}
	start, err := os.Getwd()
	if err != nil {
		return "", contracts.Errorf(contracts.CodeInvalidInput, "finding the working directory: %w", err).
			WithFix("name the project's directory with --project")
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if isProject(dir) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return start, nil
		}
	}
}

func isProject(dir string) bool {
	for _, mark := range []string{".cleo", ".git"} {
		if _, err := os.Stat(filepath.Join(dir, mark)); err == nil {
			return true
		}
	}
	return false
}

// onTerminal reports whether w is a terminal on which lines may be redrawn.
func (h host) onTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && h.getenv("TERM") != "dumb"
}
