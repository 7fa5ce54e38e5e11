package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/cleocode/cleo-validator/contracts"
)

// Program returns the absolute path of the program that [Run] would start, and the errors that Run would return for it.
func (c Command) Program() (string, error) {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return "", contracts.Errorf(contracts.CodeInvalidInput, "there is no program to run").WithFix("name a program")
	}
	if slices.ContainsFunc(slices.Concat(c.Argv, c.Env), func(s string) bool { return strings.ContainsRune(s, 0) }) {
		return "", contracts.Errorf(contracts.CodeInvalidInput, "the command line or environment of %q holds a zero byte", c.Argv[0])
	}
	dir, err := c.directory()
	if err != nil {
		return "", err
	}
	name := c.Argv[0]
	if strings.ContainsRune(name, '/') {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := executable(path); err != nil {
			return "", c.notResolved(err)
		}
		return path, nil
	}
	return c.searchPath(name)
}

// directory returns the absolute working directory. One that is missing is not the program's fault.
func (c Command) directory() (string, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return "", fmt.Errorf("finding the working directory: %w", err)
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "chdir", Path: dir, Err: syscall.ENOTDIR}
	}
	if err != nil {
		return "", fmt.Errorf("entering the working directory of %s: %w", c.Argv[0], err)
	}
	return dir, nil
}

// searchPath looks name up in PATH. A file there that cannot be executed is passed over, as a shell does, and named only
// when nothing better comes.
func (c Command) searchPath(name string) (string, error) {
	blocked := error(nil)
	for _, dir := range filepath.SplitList(c.lookup("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		err := executable(path)
		if err == nil {
			return path, nil
		}
		if errors.Is(err, syscall.EACCES) && blocked == nil {
			blocked = err
		}
	}
	if blocked != nil {
		return "", c.notResolved(blocked)
	}
	return "", c.notResolved(errors.New("not found in PATH"))
}

// lookup returns the last value of a variable in the environment.
func (c Command) lookup(name string) string {
	for _, entry := range slices.Backward(c.Env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() || info.Mode()&0o111 == 0 {
		return &os.PathError{Op: "exec", Path: path, Err: syscall.EACCES}
	}
	return nil
}

// unresolved lists what the kernel answers when the fault is the program file's, or its interpreter's.
var unresolved = []error{
	syscall.ENOENT, syscall.EACCES, syscall.EPERM, syscall.ENOEXEC, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP,
	syscall.ENAMETOOLONG, syscall.ELIBBAD,
}

// startError tells a program that cannot be executed from a process that cannot be made.
func (c Command) startError(err error) error {
	if slices.ContainsFunc(unresolved, func(known error) bool { return errors.Is(err, known) }) {
		return c.notResolved(err)
	}
	return fmt.Errorf("starting %s: %w", c.Argv[0], err)
}

func (c Command) notResolved(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = fmt.Errorf("%s: %w", at.Path, at.Err)
	}
	return &contracts.Fault{
		Kind:    contracts.FaultToolNotResolved,
		Message: fmt.Sprintf("cannot run %q: %v", c.Argv[0], err),
		Detail:  map[string]any{"program": c.Argv[0]},
	}
}
