package spawn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/cleocode/cleo-validator/contracts"
)

// runFiles is the directory of one attempt below .cleo/runs. Only the owner can read what is in it.
type runFiles struct{ dir string }

// A run id is part of a path.
var runIDRegexp = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// makeRunFiles makes the directory. Files of an earlier process with the same attempt are overwritten.
func makeRunFiles(projectRoot, runID string, attempt int) (runFiles, error) {
	if err := checkAttempt(runID, attempt); err != nil {
		return runFiles{}, err
	}
	files := runFiles{filepath.Join(projectRoot, ".cleo", "runs", runID, strconv.Itoa(attempt))}
	if err := os.MkdirAll(files.dir, 0o700); err != nil {
		return runFiles{}, filesError("making the attempt's directory", err)
	}
	return files, nil
}

func checkAttempt(runID string, attempt int) error {
	if !runIDRegexp.MatchString(runID) {
		return contracts.Errorf(contracts.CodeInvalidInput, "%q is not a run id", runID).
			WithFix("use up to 128 letters, digits, dots, underscores and hyphens, the first a letter or digit")
	}
	if attempt < 1 {
		return contracts.Errorf(contracts.CodeInvalidInput, "attempt number %d is not positive", attempt).
			WithFix("count attempts from 1")
	}
	return nil
}

func filesError(step string, err error) error {
	return contracts.Errorf(contracts.CodeSpawnFailed, "%s: %w", step, err).
		WithFix("make the project's .cleo directory writable")
}

// write puts a file into the directory and returns its path.
func (f runFiles) write(name string, data []byte) (string, error) {
	path := filepath.Join(f.dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", filesError("writing "+name, err)
	}
	return path, nil
}

func (f runFiles) writeJSON(name string, value any) (string, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return "", filesError("writing "+name, err)
	}
	return f.write(name, data)
}

// log opens a file for one output stream of a process. keep is how many bytes of its end are held for reading.
func (f runFiles) log(name string, limit int64, keep int) (*outputLog, error) {
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, filesError("opening "+name, err)
	}
	return &outputLog{file: file, room: limit, keep: keep}, nil
}
