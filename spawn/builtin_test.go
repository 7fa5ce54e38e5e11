package spawn

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

func builtinAssignment(t *testing.T, checks ...*contracts.Check) Assignment {
	dir := t.TempDir()
	mustWrite(filepath.Join(dir, "a"), "one")
	a := Assignment{TaskID: "T1", ValidatorID: "validator-1", Worktree: dir, ProjectRoot: dir, TimeoutMs: 60_000}
	for i, check := range checks {
		a.ACs = append(a.ACs, AssignedAC{
			ID: "550e8400-e29b-41d4-a716-44665544000" + string(rune('0'+i)), Alias: contracts.Alias(i + 1), Text: "x", Check: check,
		})
	}
	return a
}

func TestRunBuiltin(t *testing.T) {
	environ := []string{"PATH=/usr/local/bin:/usr/bin:/bin"}
	now := func() time.Time { return time.Date(2026, 5, 25, 22, 18, 0, 0, time.FixedZone("", 3600)) }
	t.Run("TellsWhatRan", func(t *testing.T) {
		a := builtinAssignment(t, &contracts.Check{Command: "sh -c 'echo out; echo err >&2; exit 3'"}, &contracts.Check{Atoms: "files:a"})
		verdict, err := RunBuiltin(t.Context(), a, environ, now)
		if err != nil {
			t.Fatal(err)
		}
		findings := verdict.Findings()
		for _, want := range []string{"exit code: 3", `"sh" "-c"`, "out\n", "err\n"} {
			if !strings.Contains(findings[0].Reasoning, want) {
				t.Errorf("the reasoning does not tell %q:\n%s", want, findings[0].Reasoning)
			}
		}
		if findings[0].Status != contracts.StatusFail || findings[1].Status != contracts.StatusPass || findings[1].CheckedAt != "2026-05-25T21:18:00.000Z" {
			t.Errorf("got %+v", findings)
		}
		if refs := findings[1].EvidenceRefs; len(refs) != 1 || !strings.HasPrefix(refs[0], "files:a sha256:") {
			t.Errorf("the references are %q", refs)
		}
	})
	for name, test := range map[string]struct {
		check contracts.Check
		kind  contracts.FaultKind
	}{
		"FaultNoProgram": {contracts.Check{Command: "no-such-tool"}, contracts.FaultToolNotResolved},
		"FaultTimeout":   {contracts.Check{Command: "sleep 60", TimeoutMs: 1}, contracts.FaultTimeout},
		"FaultNoCheck":   {contracts.Check{}, contracts.FaultToolNotResolved},
	} {
		t.Run(name, func(t *testing.T) {
			a := builtinAssignment(t, &contracts.Check{Command: "false"}, &test.check)
			_, err := RunBuiltin(t.Context(), a, environ, now)
			fault := wantFault(t, err, test.kind)
			if !strings.HasPrefix(fault.Message, "AC2: ") {
				t.Errorf("the message is %q", fault.Message)
			}
		})
	}
	t.Run("ErrCancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("enough")
		cancel(cause)
		_, err := RunBuiltin(ctx, builtinAssignment(t, &contracts.Check{Command: "true"}), environ, now)
		if !errors.Is(err, cause) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("ServesAFault", func(t *testing.T) {
		files := runFiles{t.TempDir()}
		path, err := files.writeJSON("assignment.json", builtinAssignment(t, &contracts.Check{Command: "no-such-tool"}))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := ServeBuiltin(t.Context(), path, environ, now, &out); err != nil {
			t.Fatal(err)
		}
		if got := readAnswer(out.Bytes()); got.fault == nil || got.fault.Detail["alias"] != "AC1" {
			t.Errorf("printed %s", out.String())
		}
	})
	t.Run("ErrAssignment", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "assignment.json")
		wantCode(t, ServeBuiltin(t.Context(), path, environ, now, nil), contracts.CodeInvalidInput)
		mustWrite(path, `{"taskId":"T1","nonsense":1}`)
		wantCode(t, ServeBuiltin(t.Context(), path, environ, now, nil), contracts.CodeInvalidInput)
	})
}
