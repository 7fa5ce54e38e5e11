package spawn

import (
	"io"
	"os"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// Assignment is what the builtin Validator is told, as a file. Other agents are told the same by their prompt.
type Assignment struct {
	TaskID      string `json:"taskId"`
	ValidatorID string `json:"validatorId"`
	// Commit is the candidate; empty in a project without commits.
	Commit string `json:"commit,omitempty"`
	// Worktree is the project's directory in the candidate; ProjectRoot the one whose .cleo counts.
	Worktree    string       `json:"worktree"`
	ProjectRoot string       `json:"projectRoot"`
	ACs         []AssignedAC `json:"acs"`
	TimeoutMs   int64        `json:"timeoutMs"`
}

// AssignedAC is one criterion of an [Assignment].
type AssignedAC struct {
	ID    string `json:"id"`
	Alias string `json:"alias"`
	Text  string `json:"text"`
	// Check is nil for a criterion that no machine can judge.
	Check *contracts.Check `json:"check,omitempty"`
}

func newAssignment(task store.Task, validatorID string, place *site, projectRoot string, timeout time.Duration) Assignment {
	a := Assignment{
		TaskID: task.ID, ValidatorID: validatorID, Commit: place.subject.Commit, Worktree: place.dir,
		ProjectRoot: projectRoot, ACs: []AssignedAC{}, TimeoutMs: timeout.Milliseconds(),
	}
	for _, ac := range task.ACs {
		a.ACs = append(a.ACs, AssignedAC{ID: ac.ID, Alias: ac.Alias(), Text: ac.Text, Check: ac.Check})
	}
	return a
}

// ReadAssignment reads an assignment file. The error is a [contracts.Error] with [contracts.CodeInvalidInput].
func ReadAssignment(path string) (Assignment, error) {
	file, err := os.Open(path)
	if err != nil {
		return Assignment{}, unreadableAssignment(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, contracts.MaxDocument+1))
	if err != nil {
		return Assignment{}, unreadableAssignment(err)
	}
	return contracts.DecodeStrict[Assignment](data)
}

func unreadableAssignment(err error) error {
	return contracts.Errorf(contracts.CodeInvalidInput, "reading the assignment: %w", err).
		WithFix("name the assignment.json of an attempt")
}
