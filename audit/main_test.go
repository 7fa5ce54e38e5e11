package audit_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
)

const (
	// writerVariable makes the re-executed test binary a writer: "<writer> <rows> <dir>".
	writerVariable = "AUDIT_TEST_WRITER"
	// limitedWriter is the number of a writer whose files cannot grow beyond a few bytes, as on a full disk.
	limitedWriter = 99
)

func TestMain(m *testing.M) {
	if order := os.Getenv(writerVariable); order != "" {
		if err := beWriter(order); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func beWriter(order string) error {
	fields := strings.SplitN(order, " ", 3)
	writer, _ := strconv.Atoi(fields[0])
	rows, _ := strconv.Atoi(fields[1])
	if writer == limitedWriter {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: 100}); err != nil {
			return err
		}
	}
	log := audit.At(fields[2])
	for n := range rows {
		row := attestRow("T" + strconv.Itoa(writer+1))
		row.AttemptNumber = n + 1
		// Lines of many lengths, past the size of a pipe's or a page's atomic write.
		row.Message = strings.Repeat(string(rune('a'+writer)), 1+n*977%20000)
		if err := log.AppendRetry(context.Background(), row); err != nil {
			return err
		}
	}
	return nil
}

func attestRow(task string) contracts.RetryEntry {
	return contracts.RetryEntry{
		Timestamp: "2026-05-01T10:00:00.000Z", TaskID: task, AttemptNumber: 1,
		RetryDecision: contracts.DecisionAttest, Message: "every criterion holds",
	}
}

func faultRow(task, run string, kind contracts.FaultKind, decision contracts.RetryDecision) contracts.RetryEntry {
	family, class, backoff := contracts.FamilyInfra, contracts.ClassTransient, int64(500)
	return contracts.RetryEntry{
		Timestamp: "2026-05-01T10:00:01.000Z", TaskID: task, AttemptNumber: 1,
		FaultFamily: &family, FaultKind: &kind, Classification: &class, BackoffMs: &backoff,
		RetryDecision: decision, Message: "a fault", RunID: run,
	}
}

// collect reads the whole log: the rows, and the malformed lines as "line: error".
func collect(t *testing.T, log *audit.Log, f audit.Filter) (rows []contracts.RetryEntry, malformed []*audit.MalformedLine) {
	t.Helper()
	for row, err := range log.Retries(t.Context(), f) {
		if bad, ok := err.(*audit.MalformedLine); ok {
			malformed = append(malformed, bad)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows, malformed
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
