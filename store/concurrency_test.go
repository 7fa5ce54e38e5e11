package store

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

// together runs n functions at once and returns their errors.
func together(n int, do func(i int) error) error {
	var group sync.WaitGroup
	failures := make([]error, n)
	for i := range n {
		group.Go(func() { failures[i] = do(i) })
	}
	group.Wait()
	return errors.Join(failures...)
}

// finish starts the processes at once and waits for all of them.
func finish(t *testing.T, processes ...*exec.Cmd) {
	t.Helper()
	err := together(len(processes), func(i int) error {
		if out, err := processes[i].CombinedOutput(); err != nil {
			return fmt.Errorf("process %d: %w: %s", i, err, out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGoroutinesOnTwoStores(t *testing.T) {
	path := tempPath(t)
	stores := []*Store{openAt(t, path), openAt(t, path)}
	task := add(t, stores[0], "T1", 3)
	const validators = 16
	receipts := make([]Receipt, 2*validators)
	err := together(2*validators, func(i int) (err error) {
		// Each verdict is sent twice, through either store.
		verdict := attest(task, fmt.Sprintf("validator-%d", i%validators), "")
		receipts[i], err = stores[i/validators].RecordVerdict(t.Context(), VerdictRecord{Verdict: verdict})
		if err != nil {
			return err
		}
		coverage, err := stores[i%2].Coverage(t.Context(), "T1")
		if n := len(coverage.Bindings[task.ACs[0].ID]); err == nil && n == 0 {
			err = errors.New("an acknowledged verdict is not there")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range validators {
		one, two := receipts[i], receipts[i+validators]
		if one.Repeated == two.Repeated || one.BindingIDs[0] != two.BindingIDs[0] || one.RecordedAt != two.RecordedAt {
			t.Errorf("the same verdict was answered with %+v and %+v", one, two)
		}
	}
	wantWhole(t, stores[0], validators, 3)
}

// wantWhole fails unless the database is sound and has every row of n attestations of acs criteria.
func wantWhole(t *testing.T, s *Store, n, acs int) {
	t.Helper()
	for query, want := range map[string]int{
		"SELECT count(*) FROM validator_verdicts":                                   n,
		"SELECT count(*) FROM validator_findings":                                   n * acs,
		"SELECT count(*) FROM evidence_ac_bindings":                                 n * acs,
		"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'": 0,
		"SELECT count(*) FROM pragma_foreign_key_check":                             0,
	} {
		if got := count(t, s, query); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
}

// roleAttest opens a database, adds T1 if it is not there, and records n verdicts: arguments path, name, n.
func roleAttest(ctx context.Context, args []string) error {
	s, err := Open(ctx, args[0], Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	err = s.AddTasks(ctx, []NewTask{{ID: "T1", Title: "x", ACs: []NewAC{{Text: "a"}, {Text: "b"}}}})
	if err != nil && contracts.CodeOf(err) != contracts.CodeTaskExists {
		return err
	}
	task, err := s.Task(ctx, "T1")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[2])
	for i := 0; i < n && err == nil; i++ {
		verdict := attest(task, fmt.Sprintf("validator-%s-%d", args[1], i), "")
		_, err = s.RecordVerdict(ctx, VerdictRecord{Verdict: verdict})
	}
	return err
}

// Processes that find no database all make it, raise it and write to it at the same moment.
func TestProcessesStartAtOnce(t *testing.T) {
	const processes, verdicts = 6, 20
	for name, path := range map[string]string{"NoDatabase": tempPath(t), "EarlierVersion": old(t, 1)} {
		t.Run(name, func(t *testing.T) {
			var all []*exec.Cmd
			for i := range processes {
				all = append(all, play(t, "attest", path, strconv.Itoa(i), strconv.Itoa(verdicts)))
			}
			finish(t, all...)
			s := openAt(t, path)
			wantWhole(t, s, processes*verdicts, 2)
			if n := count(t, s, "SELECT count(*) FROM "+historyTable+" WHERE version_id > 0"); int64(n) != latestVersion() {
				t.Errorf("%d migrations were applied", n)
			}
		})
	}
}

// Opening never mistakes a file that others write to for a damaged one.
func TestOpenWhileOthersWrite(t *testing.T) {
	path := tempPath(t)
	writer := play(t, "attest", path, "w", "400")
	done := make(chan error, 1)
	go func() {
		out, err := writer.CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
		done <- err
	}()
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			wantWhole(t, openAt(t, path), 400, 2)
			return
		default:
			s, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.writer.Exec("PRAGMA wal_checkpoint(PASSIVE)"); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
