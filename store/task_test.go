package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestAddTasks(t *testing.T) {
	now := time.Date(2026, 5, 25, 22, 18, 1, 2_345_678, time.FixedZone("", 3600))
	ids := 0
	s, err := Open(t.Context(), tempPath(t), Options{
		Now:   func() time.Time { return now },
		NewID: func() string { ids++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", ids) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	check := &contracts.Check{Command: "make build", ExpectedExitCode: 3, TimeoutMs: 5}
	err = s.AddTasks(t.Context(), []NewTask{
		{ID: "T2", Title: "second", ACs: []NewAC{{Text: "one"}, {Text: "zwei ☃", Check: check}}},
		{ID: "T1", Title: "first"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const at = "2026-05-25T21:18:01.002Z"
	want := []Task{
		{ID: "T2", Title: "second", Status: "pending", CreatedAt: at, UpdatedAt: at, ACs: []AC{
			{
				ID: "00000000-0000-4000-8000-000000000001", Ordinal: 1, Text: "one",
				ContentHash: "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
			},
			{
				ID: "00000000-0000-4000-8000-000000000002", Ordinal: 2, Text: "zwei ☃", Check: check,
				ContentHash: contentHash("zwei ☃"),
			},
		}},
		{ID: "T1", Title: "first", Status: "pending", CreatedAt: at, UpdatedAt: at},
	}
	got, err := s.Tasks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, task := range want {
		if diff := cmp.Diff(task, must(s.Task(t.Context(), task.ID))); diff != "" {
			t.Error(diff)
		}
	}
	if n := count(t, s, `SELECT count(*) FROM task_acceptance_criteria WHERE content_hash = ?`, want[0].ACs[0].ContentHash); n != 1 {
		t.Error("the ledger has another hash of the text")
	}
}

func TestAddTasksIsAllOrNothing(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	good := NewTask{ID: "T2", Title: "good", ACs: []NewAC{{Text: "x"}}}
	tests := map[string]struct {
		bad  NewTask
		want contracts.Code
	}{
		"ErrExists":       {NewTask{ID: "T1", Title: "x"}, contracts.CodeTaskExists},
		"ErrTwice":        {NewTask{ID: "T2", Title: "x"}, contracts.CodeTaskExists},
		"ErrIDBlank":      {NewTask{Title: "x"}, contracts.CodeInvalidInput},
		"ErrIDMalformed":  {NewTask{ID: "T 3", Title: "x"}, contracts.CodeInvalidInput},
		"ErrTitleBlank":   {NewTask{ID: "T3", Title: " \t\n"}, contracts.CodeInvalidInput},
		"ErrTitleNotUTF8": {NewTask{ID: "T3", Title: "\xff"}, contracts.CodeInvalidInput},
		"ErrTextBlank":    {NewTask{ID: "T3", Title: "x", ACs: []NewAC{{Text: "a"}, {Text: "\u00a0"}}}, contracts.CodeInvalidInput},
		"ErrTextNull":     {NewTask{ID: "T3", Title: "x", ACs: []NewAC{{Text: "a\x00b"}}}, contracts.CodeInvalidInput},
		"ErrCheckNotUTF8": {
			NewTask{ID: "T3", Title: "x", ACs: []NewAC{{Text: "a", Check: &contracts.Check{Command: "\xff"}}}},
			contracts.CodeInvalidInput,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			wantCode(t, s.AddTasks(t.Context(), []NewTask{good, test.bad}), test.want)
			if tasks := must(s.Tasks(t.Context())); len(tasks) != 1 {
				t.Errorf("%d tasks, want the one of before", len(tasks))
			}
		})
	}
	if err := s.AddTasks(t.Context(), nil); err != nil {
		t.Errorf("adding nothing: %v", err)
	}
}

func TestUnknownTask(t *testing.T) {
	s := openTemp(t)
	for name, call := range map[string]func(id string) error{
		"Task":         func(id string) error { _, err := s.Task(t.Context(), id); return err },
		"RemoveTask":   func(id string) error { return s.RemoveTask(t.Context(), id) },
		"RecordWorker": func(id string) error { return s.RecordWorker(t.Context(), id, "agent-1") },
		"Coverage":     func(id string) error { _, err := s.Coverage(t.Context(), id); return err },
		"Complete": func(id string) error {
			_, err := s.Complete(t.Context(), id, func(Coverage) error { t.Error("asked"); return nil })
			return err
		},
		"OpenRun": func(id string) error {
			_, err := s.OpenRun(t.Context(), RunSpec{ID: "r", TaskID: id, RetryMax: 1, State: []byte("{}")})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, id := range []string{"T9", ""} {
				wantCode(t, call(id), contracts.CodeTaskNotFound)
			}
		})
	}
}

func TestRemoveTask(t *testing.T) {
	s := openTemp(t)
	check := &contracts.Check{Command: "true"}
	tasks := []NewTask{{ID: "T1", Title: "x", ACs: []NewAC{{Text: "a", Check: check}}}, {ID: "T2", Title: "x", ACs: []NewAC{{Text: "b", Check: check}}}}
	if err := s.AddTasks(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"T1", "T2"} {
		if err := s.RecordWorker(t.Context(), id, "agent-1"); err != nil {
			t.Fatal(err)
		}
		record(t, s, attest(must(s.Task(t.Context(), id)), "validator-a", ""))
		if _, err := s.OpenRun(t.Context(), RunSpec{ID: "run-" + id, TaskID: id, RetryMax: 2, State: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
	}
	other := must(s.Coverage(t.Context(), "T2"))
	if err := s.RemoveTask(t.Context(), "T1"); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{
		"tasks": 1, "task_acceptance_criteria": 1, "evidence_ac_bindings": 1, "validator_checks": 1, "validator_workers": 1,
		"validator_verdicts": 2, "validator_runs WHERE outcome IS NULL": 1, "validator_runs": 2,
	} {
		if got := count(t, s, "SELECT count(*) FROM "+table); got != want {
			t.Errorf("%d rows in %s, want %d", got, table, want)
		}
	}
	if diff := cmp.Diff(other, must(s.Coverage(t.Context(), "T2"))); diff != "" {
		t.Errorf("removing T1 changed T2:\n%s", diff)
	}
	if again := add(t, s, "T1", 1); len(again.Workers) > 0 || again.ACs[0].Check != nil || again.ACs[0].Bound {
		t.Errorf("the new T1 has something of the old one: %+v", again)
	}
}

func TestRecordWorker(t *testing.T) {
	s := openTemp(t)
	add(t, s, "T1", 1)
	for _, agent := range []string{"b", "a", "b"} {
		if err := s.RecordWorker(t.Context(), "T1", agent); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"a", "b"}, must(s.Task(t.Context(), "T1")).Workers); diff != "" {
		t.Error(diff)
	}
	wantCode(t, s.RecordWorker(t.Context(), "T1", " "), contracts.CodeInvalidInput)
}
