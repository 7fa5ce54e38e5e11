package store

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

// roleVariable makes the re-executed test binary play one of the roles, with what follows on the command line.
const roleVariable = "STORE_TEST_ROLE"

// roles are what a second process can be told to do.
var roles = map[string]func(ctx context.Context, args []string) error{
	"attest": roleAttest,
	"drive":  roleDrive,
	"full":   roleFull,
	"open":   roleOpen,
}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// play returns a process that plays a role; it is not started yet.
func play(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, "GORACE=atexit_sleep_ms=0")
	return cmd
}

const someInstant = "2026-05-25T22:18:00Z"

func tempPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), ".cleo", "validator.db")
}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func openTemp(t testing.TB) *Store {
	t.Helper()
	return openAt(t, tempPath(t))
}

// add adds a task with n criteria and returns it.
func add(t testing.TB, s *Store, id string, n int) Task {
	t.Helper()
	task := NewTask{ID: id, Title: "task " + id}
	for i := range n {
		task.ACs = append(task.ACs, NewAC{Text: fmt.Sprintf("criterion %d of %s", i+1, id)})
	}
	if err := s.AddTasks(context.Background(), []NewTask{task}); err != nil {
		t.Fatal(err)
	}
	added, err := s.Task(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func findingsOn(task Task, status contracts.FindingStatus) []contracts.Finding {
	var findings []contracts.Finding
	for _, ac := range task.ACs {
		findings = append(findings, contracts.Finding{
			ACID: ac.ID, Status: status, Reasoning: "ran it", CheckedAt: someInstant,
		})
	}
	return findings
}

// attest makes a valid attestation of all the task's criteria; summary tells envelopes of one Validator apart.
func attest(task Task, validatorID, summary string) contracts.Verdict {
	return must(contracts.NewAttestation(contracts.Attestation{
		Verdict: contracts.VerdictAttest, TaskID: task.ID, ValidatorID: validatorID, Summary: summary,
		Findings: findingsOn(task, contracts.StatusPass), AttestedAt: someInstant, SchemaVersion: contracts.SchemaVersion,
	}))
}

func reject(task Task, validatorID string) contracts.Verdict {
	return must(contracts.NewRejection(contracts.Rejection{
		Verdict: contracts.VerdictReject, TaskID: task.ID, ValidatorID: validatorID, Summary: "it fails",
		Findings: findingsOn(task, contracts.StatusFail), RejectedAt: someInstant, SchemaVersion: contracts.SchemaVersion,
	}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err) // the tests make valid values
	}
	return v
}

func record(t testing.TB, s *Store, v contracts.Verdict) Receipt {
	t.Helper()
	receipt, err := s.RecordVerdict(context.Background(), VerdictRecord{Verdict: v})
	if err != nil {
		t.Fatal(err)
	}
	return receipt
}

func wantCode(t testing.TB, err error, want contracts.Code) {
	t.Helper()
	if got := contracts.CodeOf(err); got != want {
		t.Fatalf("code %q, want %q (error: %v)", got, want, err)
	}
	if e := contracts.Envelope(err); e.Fix == "" {
		t.Errorf("%q says nothing on what to do next", e.Message)
	}
}

// count returns the one number that a query yields.
func count(t testing.TB, s *Store, query string, args ...any) int {
	t.Helper()
	var n int
	if err := s.reader.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
