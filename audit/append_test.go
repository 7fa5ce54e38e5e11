package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
)

func TestRowsAreReadAsTheyWereAppended(t *testing.T) {
	log := audit.At(filepath.Join(t.TempDir(), ".cleo", "audit"))
	took := int64(0)
	want := []contracts.RetryEntry{
		attestRow("T1"),
		faultRow("T1", "run-1", contracts.FaultTimeout, contracts.DecisionRetryValidator),
		{
			Timestamp: "2026-05-01T10:00:02.000Z", TaskID: "T2", AttemptNumber: 3, RetryDecision: contracts.DecisionRetryWorker,
			Message: "line one\nline two <&> \u2028 \"quoted\"", Detail: map[string]any{"exit": 1.0, "tail": "x\ny"},
			RunID: "run-2", Verdict: contracts.VerdictReject, ValidatorID: "validator-a", DurationMs: &took, Commit: "abc",
		},
	}
	for _, row := range want {
		if err := log.AppendRetry(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	got, malformed := collect(t, log, audit.Filter{})
	if diff := cmp.Diff(want, got); diff != "" || malformed != nil {
		t.Errorf("rows differ (-want +got):\n%s\nmalformed: %v", diff, malformed)
	}
}

func TestLinesHaveTheAgreedNames(t *testing.T) {
	dir := t.TempDir()
	log := audit.At(dir)
	steps := []struct {
		file, want string
		append     func(context.Context) error
	}{
		{
			audit.WaiversFile,
			`{"timestamp":"2026-05-01T10:00:00.000Z","taskId":"T1","waivedAcs":["id"],"waivedAliases":["AC1"],` +
				`"reason":"r","actor":"a","unresolvedTokens":[]}`,
			func(ctx context.Context) error {
				return log.AppendWaiver(ctx, audit.Waiver{
					Timestamp: "2026-05-01T10:00:00.000Z", TaskID: "T1", WaivedACs: []string{"id"}, WaivedAliases: []string{"AC1"},
					Reason: "r", Actor: "a",
				})
			},
		},
		{
			audit.OverridesFile,
			`{"kind":"ac-coverage","timestamp":"2026-05-01T10:00:00.000Z","taskId":"T1","reason":"r","actor":"a",` +
				`"unsatisfied":[{"acId":"id","alias":"AC1","text":"t"}]}`,
			func(ctx context.Context) error {
				return log.AppendOverride(ctx, audit.Override{
					Kind: audit.OverrideACCoverage, Timestamp: "2026-05-01T10:00:00.000Z", TaskID: "T1", Reason: "r", Actor: "a",
					Unsatisfied: []contracts.UncoveredAC{{ACID: "id", Alias: "AC1", Text: "t"}},
				})
			},
		},
		{
			audit.RetriesFile,
			`{"timestamp":"2026-05-01T10:00:00.000Z","taskId":"T1","attemptNumber":1,"faultFamily":null,"faultKind":null,` +
				`"classification":null,"backoffMs":null,"retryDecision":"attest","message":"every criterion holds"}`,
			func(ctx context.Context) error { return log.AppendRetry(ctx, attestRow("T1")) },
		},
	}
	for _, step := range steps {
		t.Run(step.file, func(t *testing.T) {
			if err := step.append(t.Context()); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(step.want+"\n", mustRead(t, filepath.Join(dir, step.file))); diff != "" {
				t.Errorf("line differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheLogIsPrivateToItsOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project", ".cleo", "audit")
	if err := audit.At(dir).AppendWaiver(t.Context(), audit.Waiver{TaskID: "T1"}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{
		dir: 0o700, filepath.Dir(dir): 0o700, filepath.Join(dir, audit.WaiversFile): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func TestEightProcessesAppendWithoutTearing(t *testing.T) {
	const writers, rows = 8, 60
	dir := filepath.Join(t.TempDir(), "audit")
	var wait sync.WaitGroup
	failures := make(chan error, writers)
	for writer := range writers {
		wait.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", writerVariable, writer, rows, dir))
			if out, err := cmd.CombinedOutput(); err != nil {
				failures <- fmt.Errorf("writer %d: %w: %s", writer, err, out)
			}
		})
	}
	wait.Wait()
	close(failures)
	for err := range failures {
		t.Error(err)
	}
	got, malformed := collect(t, audit.At(dir), audit.Filter{})
	if len(got) != writers*rows || len(malformed) != 0 {
		t.Errorf("%d rows and %d malformed lines, want %d and 0", len(got), len(malformed), writers*rows)
	}
	next := map[string]int{}
	for _, row := range got {
		next[row.TaskID]++
		if row.AttemptNumber != next[row.TaskID] || strings.Trim(row.Message, row.Message[:1]) != "" {
			t.Fatalf("row %d of %s is out of order or mixed with another", row.AttemptNumber, row.TaskID)
		}
	}
}

func TestTornLastLineIsClosedOffAndReported(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, audit.RetriesFile), `{"timestamp":"2026-05-01T10:0`)
	var warnings []string
	log := audit.At(dir)
	log.Warn = func(message string) { warnings = append(warnings, message) }
	for range 2 {
		if err := log.AppendRetry(t.Context(), attestRow("T1")); err != nil {
			t.Fatal(err)
		}
	}
	rows, malformed := collect(t, log, audit.Filter{})
	if len(rows) != 2 || len(malformed) != 1 || malformed[0].Line != 1 {
		t.Errorf("%d rows and malformed %v, want 2 rows and line 1 malformed", len(rows), malformed)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "torn") {
		t.Errorf("warnings are %q, want one about the torn line", warnings)
	}
}

func TestAppendingNeverHangsAndSaysWhatIsWrong(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	mustWrite(t, elsewhere, "mine\n")
	tests := []struct {
		name, want string
		arrange    func(dir string) error
	}{
		{"file is a directory", "a directory", func(dir string) error { return os.MkdirAll(filepath.Join(dir, audit.WaiversFile), 0o700) }},
		{"file is a pipe", "a named pipe", func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, audit.WaiversFile), 0o600) }},
		{"file is a link", "a symbolic link", func(dir string) error { return os.Symlink(elsewhere, filepath.Join(dir, audit.WaiversFile)) }},
		{"lock is a pipe", "a named pipe", func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, ".lock"), 0o600) }},
		{"lock is a link", "a symbolic link", func(dir string) error { return os.Symlink(elsewhere, filepath.Join(dir, ".lock")) }},
		{"directory is a file", "not a directory", func(dir string) error {
			return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600))
		}},
		{"directory is a link", "a symbolic link", func(dir string) error {
			return errors.Join(os.Remove(dir), os.Symlink(filepath.Dir(elsewhere), dir))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "audit")
			if err := errors.Join(os.Mkdir(dir, 0o700), tt.arrange(dir)); err != nil {
				t.Fatal(err)
			}
			err := audit.At(dir).AppendWaiver(t.Context(), audit.Waiver{TaskID: "T1"})
			if contracts.CodeOf(err) != contracts.CodeAuditUnavailable || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want one with %s that says %q", err, contracts.CodeAuditUnavailable, tt.want)
			}
		})
	}
	if got := mustRead(t, elsewhere); got != "mine\n" {
		t.Errorf("the file elsewhere is now %q", got)
	}
}

func TestALineThatDoesNotFitIsAnErrorAndIsMendedLater(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", writerVariable, limitedWriter, 3, dir))
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "file too large") {
		t.Fatalf("the limited writer ended with %v and said %q", err, out)
	}
	log := audit.At(dir)
	if err := log.AppendRetry(t.Context(), attestRow("T1")); err != nil {
		t.Fatal(err)
	}
	rows, malformed := collect(t, log, audit.Filter{})
	if len(rows) != 1 || len(malformed) != 1 {
		t.Errorf("%d rows and malformed %v, want the new row and the torn line", len(rows), malformed)
	}
}

func TestWaitingForTheLockEndsWithTheContext(t *testing.T) {
	dir := t.TempDir()
	held := flock.New(filepath.Join(dir, ".lock"))
	if err := held.Lock(); err != nil {
		t.Fatal(err)
	}
	defer held.Unlock()
	reason := errors.New("the caller gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	err := audit.At(dir).AppendRetry(ctx, attestRow("T1"))
	if !errors.Is(err, reason) {
		t.Errorf("error is %v, want the cause of the context", err)
	}
	if _, err := os.Stat(filepath.Join(dir, audit.RetriesFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a line was written without the lock: %v", err)
	}
}

func TestBytesThatAreNotUTF8DoNotLoseTheRow(t *testing.T) {
	log := audit.At(t.TempDir())
	row := attestRow("T1")
	row.Message, row.Detail = "bad \xff byte", map[string]any{"tail": "\xfe\x00"}
	if err := log.AppendRetry(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	got, malformed := collect(t, log, audit.Filter{})
	if len(got) != 1 || len(malformed) != 0 || got[0].Message != "bad \ufffd byte" || got[0].Detail["tail"] != "\ufffd\x00" {
		t.Errorf("rows %v, malformed %v", got, malformed)
	}
}

func TestAnOversizedDetailIsLeftOutNotTheRow(t *testing.T) {
	log := audit.At(t.TempDir())
	var warnings []string
	log.Warn = func(message string) { warnings = append(warnings, message) }
	row := attestRow("T1")
	row.Detail = map[string]any{"tail": strings.Repeat("x", 5<<20)}
	if err := log.AppendRetry(t.Context(), row); err != nil {
		t.Fatal(err)
	}
	got, malformed := collect(t, log, audit.Filter{})
	if len(got) != 1 || len(malformed) != 0 || got[0].Detail["omittedLineBytes"] == nil || len(warnings) != 1 {
		t.Errorf("rows %d, malformed %v, warnings %q", len(got), malformed, warnings)
	}
	if _, kept := row.Detail["tail"]; !kept {
		t.Error("the caller's row was changed")
	}
}

func TestLinesAreStandardJSON(t *testing.T) {
	dir := t.TempDir()
	if err := audit.At(dir).AppendOverride(t.Context(), audit.Override{Kind: audit.OverrideFreshRun, TaskID: "T1"}); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(mustRead(t, filepath.Join(dir, audit.OverridesFile))), &line); err != nil {
		t.Fatal(err)
	}
	if list, ok := line["unsatisfied"].([]any); !ok || len(list) != 0 {
		t.Errorf("unsatisfied is %v, want an empty list", line["unsatisfied"])
	}
}
