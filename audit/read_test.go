package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
)

// cleoRow is a line as CLEO itself writes it: none of our own fields, one that we do not know.
const cleoRow = `{"timestamp":"2026-04-30T23:59:59.999Z","taskId":"T77","attemptNumber":2,"faultFamily":"infra",` +
	`"faultKind":"validator-OOM","classification":"transient-then-permanent","backoffMs":30000,` +
	`"retryDecision":"retry-validator","message":"oom","detail":{"rss":1},"schema":"future"}`

func TestRowsOfCLEOReadTheSameWay(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, audit.RetriesFile), cleoRow+"\n")
	rows, malformed := collect(t, audit.At(dir), audit.Filter{TaskID: "T77", FaultKind: contracts.FaultOOM})
	if len(rows) != 1 || len(malformed) != 0 {
		t.Fatalf("rows %v, malformed %v", rows, malformed)
	}
	if row := rows[0]; *row.BackoffMs != 30000 || row.RunID != "" || row.DurationMs != nil || row.Detail["rss"] != 1.0 {
		t.Errorf("row is %+v", row)
	}
}

func TestMalformedLinesAreNumberedAndSkipped(t *testing.T) {
	good := strings.Replace(cleoRow, "T77", "T1", 1)
	tests := []struct {
		name, line string
		malformed  bool
	}{
		{"a row", good, false},
		{"blank", "", false},
		{"only spaces", "  \t ", false},
		{"a row before a carriage return", good + "\r", false},
		{"no JSON", "not json", true},
		{"half a row", good[:40], true},
		{"a list", "[1]", true},
		{"null", "null", true},
		{"an empty object", "{}", true},
		{"a wrong type", `{"timestamp":"x","taskId":7}`, true},
		{"a key twice", `{"taskId":"T1",` + good[1:], true},
		{"an unknown decision", strings.Replace(good, "retry-validator", "maybe", 1), true},
		{"no task", strings.Replace(good, `"T1"`, `""`, 1), true},
		{"zeros of a crash", "\x00\x00\x00\x00", true},
		{"two rows glued", good + good, true},
		{"longer than a reader takes", strings.Repeat(" ", 4<<20) + good, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			mustWrite(t, filepath.Join(dir, audit.RetriesFile), good+"\n"+tt.line+"\n"+good+"\n")
			rows, malformed := collect(t, audit.At(dir), audit.Filter{})
			wantRows := 3
			if tt.malformed || strings.TrimSpace(tt.line) == "" {
				wantRows = 2
			}
			if len(rows) != wantRows {
				t.Errorf("%d rows, want %d", len(rows), wantRows)
			}
			if tt.malformed != (len(malformed) == 1 && malformed[0].Line == 2) || !tt.malformed && len(malformed) > 0 {
				t.Errorf("malformed lines are %v", malformed)
			}
		})
	}
}

func TestTheLastLineNeedsNoEnd(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, audit.RetriesFile), cleoRow+"\n"+cleoRow)
	if rows, malformed := collect(t, audit.At(dir), audit.Filter{}); len(rows) != 2 || len(malformed) != 0 {
		t.Errorf("%d rows, malformed %v", len(rows), malformed)
	}
}

func TestFiltersChooseRows(t *testing.T) {
	instant := func(s string) time.Time {
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	dir := t.TempDir()
	log := audit.At(dir)
	for i, row := range []contracts.RetryEntry{
		faultRow("T1", "r1", contracts.FaultTimeout, contracts.DecisionRetryValidator),
		faultRow("T1", "r2", contracts.FaultPartial, contracts.DecisionEscalateHITL),
		faultRow("T2", "r3", contracts.FaultTimeout, contracts.DecisionEscalateHITL),
		attestRow("T2"),
	} {
		row.AttemptNumber, row.Timestamp = i, fmt.Sprintf("2026-05-01T1%d:00:00.000Z", i)
		if err := log.AppendRetry(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		filter audit.Filter
		want   []int
	}{
		{"everything", audit.Filter{}, []int{0, 1, 2, 3}},
		{"task", audit.Filter{TaskID: "T1"}, []int{0, 1}},
		{"another task", audit.Filter{TaskID: "T2"}, []int{2, 3}},
		{"no such task", audit.Filter{TaskID: "T"}, nil},
		{"run", audit.Filter{RunID: "r2"}, []int{1}},
		{"decision", audit.Filter{Decision: contracts.DecisionEscalateHITL}, []int{1, 2}},
		{"attests", audit.Filter{Decision: contracts.DecisionAttest}, []int{3}},
		{"fault kind", audit.Filter{FaultKind: contracts.FaultTimeout}, []int{0, 2}},
		{"task and fault kind", audit.Filter{TaskID: "T2", FaultKind: contracts.FaultTimeout}, []int{2}},
		{"since an instant, inclusive", audit.Filter{Since: instant("2026-05-01T12:00:00Z")}, []int{2, 3}},
		{"until an instant, exclusive", audit.Filter{Until: instant("2026-05-01T12:00:00Z")}, []int{0, 1}},
		{"in another zone", audit.Filter{Since: instant("2026-05-01T15:00:00+02:00")}, []int{3}},
		{"a range", audit.Filter{Since: instant("2026-05-01T11:00:00Z"), Until: instant("2026-05-01T13:00:00Z")}, []int{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, _ := collect(t, log, tt.filter)
			var got []int
			for _, row := range rows {
				got = append(got, row.AttemptNumber)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("chose rows %v, want %v", got, tt.want)
			}
		})
	}
}

func TestReadingStopsWithItsConsumer(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, audit.RetriesFile), strings.Repeat(cleoRow+"\n", 3))
	seen := 0
	for range audit.At(dir).Retries(t.Context(), audit.Filter{}) {
		seen++
		break
	}
	if seen != 1 {
		t.Errorf("saw %d rows, want 1", seen)
	}
}

func TestReadingAnUnreadableLogIsAnError(t *testing.T) {
	tests := map[string]func(path string) error{
		"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"link":      func(path string) error { return os.Symlink("/etc/hostname", path) },
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := arrange(filepath.Join(dir, audit.RetriesFile)); err != nil {
				t.Fatal(err)
			}
			var last error
			for _, err := range audit.At(dir).Retries(t.Context(), audit.Filter{}) {
				last = err
			}
			if contracts.CodeOf(last) != contracts.CodeAuditUnavailable {
				t.Errorf("error is %v, want %s", last, contracts.CodeAuditUnavailable)
			}
		})
	}
	t.Run("absent", func(t *testing.T) {
		if rows, malformed := collect(t, audit.At(filepath.Join(t.TempDir(), "none")), audit.Filter{}); rows != nil || malformed != nil {
			t.Errorf("rows %v, malformed %v", rows, malformed)
		}
	})
}

func TestReadingTakesConstantMemory(t *testing.T) {
	dir := t.TempDir()
	const rows = 20000
	mustWrite(t, filepath.Join(dir, audit.RetriesFile), strings.Repeat(cleoRow+"\n", rows))
	heap := func() int64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	before, grown, n := heap(), int64(0), 0
	for _, err := range audit.At(dir).Retries(t.Context(), audit.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%5000 == 0 {
			grown = max(grown, heap()-before)
		}
	}
	if n != rows {
		t.Fatalf("read %d rows, want %d", n, rows)
	}
	if grown > 2<<20 {
		t.Errorf("the heap grew by %d bytes over a file of %d", grown, rows*len(cleoRow))
	}
}

func TestAnyMixOfLinesKeepsItsRows(t *testing.T) {
	base := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		good := rapid.SliceOfN(rapid.Bool(), 1, 30).Draw(r, "good")
		junk := rapid.StringMatching(`[ -~]{0,200}`)
		var text strings.Builder
		want := 0
		for _, isRow := range good {
			if isRow {
				want++
				text.WriteString(cleoRow + "\n")
			} else {
				text.WriteString("!" + junk.Draw(r, "junk") + "\n")
			}
		}
		mustWrite(t, filepath.Join(base, audit.RetriesFile), text.String())
		rows, malformed := collect(t, audit.At(base), audit.Filter{})
		if len(rows) != want || len(malformed) != len(good)-want {
			r.Fatalf("%d rows and %d malformed, want %d and %d", len(rows), len(malformed), want, len(good)-want)
		}
	})
}
