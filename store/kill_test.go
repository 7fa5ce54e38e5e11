package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cleocode/cleo-validator/contracts"
)

// roleDrive takes the run lock of T1 and then, for ever, records verdicts and drives a run, telling what was
// acknowledged: arguments path, name.
func roleDrive(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	if _, err := s.LockRun("T1"); err != nil {
		return err
	}
	task, err := s.Task(ctx, "T1")
	if err != nil {
		return err
	}
	for i := 0; err == nil; i++ {
		verdict := attest(task, fmt.Sprintf("validator-%s-%d", args[1], i), "")
		if _, err = s.RecordVerdict(ctx, VerdictRecord{Verdict: verdict}); err != nil {
			return err
		}
		fmt.Println("verdict", verdict.ValidatorID())
		err = driveOnce(ctx, s)
	}
	return err
}

// driveOnce takes the run one attempt further; the last one ends it.
func driveOnce(ctx context.Context, s *Store) error {
	run, err := s.OpenRun(ctx, RunSpec{ID: s.opts.NewID(), TaskID: "T1", RetryMax: 3, State: []byte(`{"counter":0}`)})
	if err != nil {
		return err
	}
	n := len(run.Entries) + 1
	if run.Pending == nil {
		if err := s.ReserveAttempt(ctx, run.ID, n, "validator-x"); err != nil {
			return err
		}
	}
	d := Decision{RunID: run.ID, State: fmt.Appendf(nil, `{"counter":%d}`, n), Entry: row(n), Settles: n}
	if n == 3 {
		d.Outcome = "escalate-hitl"
	}
	return s.CommitDecision(ctx, d)
}

// A process that is killed at any moment leaves a sound database with all that it acknowledged and nothing half.
func TestKilledAtARandomWrite(t *testing.T) {
	path := tempPath(t)
	s := openAt(t, path)
	add(t, s, "T1", 4)
	for round := range 12 {
		acknowledged := killAfter(t, play(t, "drive", path, strconv.Itoa(round)), 1+3*round, time.Duration(round*137)*time.Microsecond)
		for _, validatorID := range acknowledged {
			if _, found, err := s.VerdictBy(t.Context(), "T1", validatorID); err != nil || !found {
				t.Fatalf("the acknowledged verdict of %s is lost: %v", validatorID, err)
			}
		}
		wantWhole(t, s, count(t, s, "SELECT count(*) FROM validator_verdicts"), 4)
		wantRunsWhole(t, s)
		unlock, err := s.LockRun("T1") // it went with the process
		mustDo(t, err, unlock())
	}
}

// killAfter kills the process a moment after its nth line and returns the words that follow the first in each line.
func killAfter(t *testing.T, cmd *exec.Cmd, n int, moment time.Duration) (told []string) {
	t.Helper()
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	mustDo(t, err, cmd.Start())
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		mustDo(t, err)
		told = append(told, strings.Fields(line)[1])
		if len(told) == n {
			time.AfterFunc(moment, func() { _ = cmd.Process.Signal(syscall.SIGKILL) })
		}
	}
	_ = cmd.Wait()
	if len(told) < n {
		t.Fatalf("the process ended by itself after %d lines", len(told))
	}
	return told
}

// wantRunsWhole fails unless every run's state, attempts and rows tell the same.
func wantRunsWhole(t *testing.T, s *Store) {
	t.Helper()
	torn := count(t, s, `
		SELECT count(*)
		FROM validator_runs r
		WHERE
			json_extract(r.state, '$.counter') <> (SELECT count(*) FROM validator_audit a WHERE a.run_id = r.id)
			OR json_extract(r.state, '$.counter') <>
				(SELECT count(*) FROM validator_attempts a WHERE a.run_id = r.id AND a.settled_at IS NOT NULL)
			OR (r.outcome IS NOT NULL) <> (json_extract(r.state, '$.counter') = 3)`)
	if torn > 0 {
		t.Errorf("%d runs are torn", torn)
	}
}

func TestRunLockOfAnotherProcess(t *testing.T) {
	path := tempPath(t)
	s := openAt(t, path)
	add(t, s, "T1", 1)
	cmd := play(t, "drive", path, "x")
	out, err := cmd.StdoutPipe()
	mustDo(t, err, cmd.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	mustDo(t, err)
	_, err = s.LockRun("T1")
	wantCode(t, err, contracts.CodeRunBusy)
	mustDo(t, cmd.Process.Kill())
	_ = cmd.Wait()
	unlock, err := s.LockRun("T1")
	mustDo(t, err, unlock())
}

// roleFull writes to a database whose files cannot grow, as on a full disk, and prints the code of what goes wrong.
func roleFull(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	task, err := s.Task(ctx, "T1")
	if err != nil {
		return err
	}
	if err := limitFiles(); err != nil {
		return err
	}
	_, err = s.RecordVerdict(ctx, VerdictRecord{Verdict: attest(task, "validator-a", "")})
	fmt.Print(contracts.CodeOf(err))
	return nil
}

func TestFullDiskLeavesNothing(t *testing.T) {
	path := tempPath(t)
	s := openAt(t, path)
	add(t, s, "T1", 200)
	out, err := play(t, "full", path).CombinedOutput()
	if err != nil || string(out) != string(contracts.CodeStoreUnavailable) {
		t.Errorf("code %q (%v), want %q", out, err, contracts.CodeStoreUnavailable)
	}
	wantWhole(t, s, 0, 200)
	record(t, s, attest(must(s.Task(t.Context(), "T1")), "validator-a", ""))
	wantWhole(t, s, 1, 200)
}
