package spawn

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// TestFaults has a real process for every row of the table of outcomes.
func TestFaults(t *testing.T) {
	const (
		foreignTask      = `{"verdict":"attest","taskId":"T2","validatorId":"validator-1","findings":[{"acId":"550e8400-e29b-41d4-a716-446655440000","status":"pass","reasoning":"ran it","checkedAt":"2026-05-25T22:18:00Z"}],"attestedAt":"2026-05-25T22:18:00Z","schemaVersion":"1"}`
		foreignCriterion = `{"verdict":"attest","taskId":"T1","validatorId":"validator-1","findings":[{"acId":"550e8400-e29b-41d4-a716-446655440000","status":"pass","reasoning":"ran it","checkedAt":"2026-05-25T22:18:00Z"}],"attestedAt":"2026-05-25T22:18:00Z","schemaVersion":"1"}`
	)
	for name, test := range map[string]struct {
		command string // what the shell runs
		kind    contracts.FaultKind
		says    string
	}{
		"Silence":          {"exit 0", contracts.FaultPartial, "exit code 0"},
		"Failure":          {"exit 3", contracts.FaultPartial, "exit code 3"},
		"Signal":           {"kill -9 $$", contracts.FaultPartial, "killed"},
		"NotFound":         {"no-such-agent", contracts.FaultToolNotResolved, "no-such-agent"},
		"NotExecutable":    {"exit 126", contracts.FaultToolNotResolved, "126"},
		"ClaimOnOutput":    {`echo 'Verdict shipped.'`, contracts.FaultConduitDrop, "says that it shipped"},
		"ClaimOfTheTool":   {`echo '{"ok":true,"bindingsWritten":2}' >&2`, contracts.FaultConduitDrop, "says that it shipped"},
		"ClaimAndFailure":  {`echo 'Verdict shipped.'; exit 1`, contracts.FaultPartial, "exit code 1"},
		"Malformed":        {`echo '{"verdict":"attest","taskId":"T1"}'`, contracts.FaultPartial, "validatorId"},
		"AnotherTask":      {"echo '" + foreignTask + "'", contracts.FaultPartial, "on T2"},
		"ForeignCriterion": {"echo '" + foreignCriterion + "'", contracts.FaultPartial, "E_VALIDATOR_AC_NOT_FOUND"},
		"OwnReport":        {`echo '{"fault":{"kind":"validator-unreachable","message":"no network"}}'; exit 1`, contracts.FaultUnreachable, "no network"},
		"OwnReportRefused": {`echo '{"fault":{"kind":"validator-OOM","message":"x"}}'`, contracts.FaultPartial, "validator-OOM"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t).withCommit()
			p.task("T1", "true")
			p.task("T2", "true")
			got, err := p.spawner(p.running("sh -c "+quoteWord(test.command))).SpawnValidator(t.Context(), request("T1"))
			fault := wantFault(t, err, test.kind)
			if !strings.Contains(fault.Message, test.says) {
				t.Errorf("the message is %q, want it to say %q", fault.Message, test.says)
			}
			if !got.Verdict.IsZero() || got.Subject.Commit == "" || got.Detail["exitCode"] == nil {
				t.Errorf("the attempt is %+v", got)
			}
			p.noWorktrees()
		})
	}
	t.Run("Deadline", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		path, held := newFifo(t)
		s := p.spawner(p.playing("part-stubborn", path), func(o *Options) { o.Timeout = 50 * time.Millisecond })
		got, err := s.SpawnValidator(t.Context(), request("T1"))
		wantFault(t, err, contracts.FaultTimeout)
		if got.Detail["signal"] == nil {
			t.Errorf("the detail is %v", got.Detail)
		}
		awaitAbandoned(t, path, held)
		p.noWorktrees()
	})
	t.Run("NoCriteria", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1")
		_, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		wantFault(t, err, contracts.FaultNoACs)
		if _, err := os.Stat(filepath.Join(p.dir, ".cleo")); err == nil {
			t.Error("something was started")
		}
	})
	t.Run("NoProgram", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		for _, command := range []string{"no-such-agent --x", "/no/such/agent", "./a"} {
			_, err := p.spawner(p.running(command)).SpawnValidator(t.Context(), request("T1"))
			wantFault(t, err, contracts.FaultToolNotResolved)
		}
		p.noWorktrees()
	})
	t.Run("NoCheckProgram", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "false", "no-such-tool --all")
		_, err := p.spawner().SpawnValidator(t.Context(), request("T1"))
		fault := wantFault(t, err, contracts.FaultToolNotResolved)
		if !strings.HasPrefix(fault.Message, "AC2: ") || fault.Detail["alias"] != "AC2" || fault.Detail["program"] != "no-such-tool" {
			t.Errorf("got %v, %v", fault, fault.Detail)
		}
	})
	t.Run("OutputIsKeptInBounds", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		s := p.spawner(p.running(`sh -c 'head -c 100000 /dev/zero | tr "\0" x; echo END'`), func(o *Options) { o.LogCap = 1000 })
		got, err := s.SpawnValidator(t.Context(), request("T1"))
		wantFault(t, err, contracts.FaultPartial)
		info, statErr := os.Stat(filepath.Join(p.dir, ".cleo/runs/r/1/stdout.log"))
		if statErr != nil || info.Size() != 1000 || got.Detail["droppedBytes"] != int64(100004-1000) {
			t.Errorf("the log is %v, %v; detail %v", info, statErr, got.Detail["droppedBytes"])
		}
		if tail, _ := got.Detail["stdoutTail"].(string); len(tail) != detailTail || !strings.HasSuffix(tail, "xEND\n") {
			t.Errorf("the tail has %d bytes", len(tail))
		}
	})
}

func wantFault(t *testing.T, err error, kind contracts.FaultKind) *contracts.Fault {
	t.Helper()
	fault, ok := errors.AsType[*contracts.Fault](err)
	if !ok || fault.Kind != kind {
		t.Fatalf("got %v, want the fault %s", err, kind)
	}
	return fault
}

// longEnough gives an attempt more time until it no longer times out, since no machine says how long a process needs to start.
func (p *project) longEnough(attempt func(time.Duration) (contracts.Attempt, error)) (contracts.Attempt, error) {
	for timeout := 250 * time.Millisecond; ; timeout *= 2 {
		got, err := attempt(timeout)
		fault, ok := errors.AsType[*contracts.Fault](err)
		if !ok || fault.Kind != contracts.FaultTimeout || timeout > 30*time.Second {
			return got, err
		}
	}
}

// TestVerdictCounts shows that neither exit codes nor prose make or unmake a verdict.
func TestVerdictCounts(t *testing.T) {
	t.Run("OfAProcessThatFailed", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		got, err := p.spawner(p.playing("part-attest", "{assignment}")).SpawnValidator(t.Context(), request("T1"))
		if err != nil || got.Verdict.Kind() != contracts.VerdictAttest {
			t.Errorf("got %s, %v", got.Verdict.Canonical(), err)
		}
	})
	t.Run("PrintedBeforeTheDeadline", func(t *testing.T) {
		p := newProject(t).withCommit()
		p.task("T1", "true")
		path, _ := newFifo(t)
		got, err := p.longEnough(func(timeout time.Duration) (contracts.Attempt, error) {
			s := p.spawner(p.playing("part-hang", "{assignment}", path), func(o *Options) { o.Timeout = timeout })
			return s.SpawnValidator(t.Context(), request("T1"))
		})
		if err != nil || got.Verdict.Kind() != contracts.VerdictAttest {
			t.Errorf("got %s, %v", got.Verdict.Canonical(), err)
		}
	})
	t.Run("ShippedByTheAgentItself", func(t *testing.T) {
		p := newProject(t).withCommit()
		task := p.task("T1", "true")
		own := envelope(Assignment{TaskID: "T1", ValidatorID: "validator-1", ACs: []AssignedAC{{ID: task.ACs[0].ID}}}, contracts.StatusFail)
		if _, err := p.tools().Reject().Invoke(t.Context(), contracts.RejectInput{
			Caller: contracts.Caller{Role: contracts.RoleValidator}, Rejection: []byte(own),
		}); err != nil {
			t.Fatal(err)
		}
		got, err := p.spawner(p.running("true")).SpawnValidator(t.Context(), request("T1"))
		if err != nil || got.Verdict.Kind() != contracts.VerdictReject {
			t.Errorf("got %s, %v", got.Verdict.Canonical(), err)
		}
	})
	t.Run("NotWhenACriterionIsLeftOut", func(t *testing.T) {
		p := newProject(t).withCommit()
		task := p.task("T1", "true", "true")
		some := envelope(Assignment{TaskID: "T1", ValidatorID: "validator-1", ACs: []AssignedAC{{ID: task.ACs[0].ID}}}, contracts.StatusPass)
		got, err := p.spawner(p.playing("part-print", some)).SpawnValidator(t.Context(), request("T1"))
		fault := wantFault(t, err, contracts.FaultPartial)
		if fault.Detail["code"] != contracts.CodeAttestationInvalid || !strings.Contains(fault.Message, "AC2") {
			t.Errorf("got %v, %v", fault, fault.Detail)
		}
		if coverage, err := p.store.Coverage(t.Context(), "T1"); err != nil || len(coverage.Bindings) != 0 || !got.Verdict.IsZero() {
			t.Errorf("bindings: %v, %v", coverage.Bindings, err)
		}
	})
	t.Run("NotOfAnotherValidator", func(t *testing.T) {
		p := newProject(t).withCommit()
		task := p.task("T1", "true")
		other := envelope(Assignment{TaskID: "T1", ValidatorID: "validator-2", ACs: []AssignedAC{{ID: task.ACs[0].ID}}}, contracts.StatusPass)
		_, err := p.spawner(p.playing("part-print", other)).SpawnValidator(t.Context(), request("T1"))
		wantFault(t, err, contracts.FaultPartial)
	})
}
