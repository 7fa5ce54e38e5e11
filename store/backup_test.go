package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestBackupIsAStoreOfItsOwn(t *testing.T) {
	s, err := Open(t.Context(), tempPath(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.AddTasks(t.Context(), []NewTask{{ID: "T1", Title: "one", ACs: []NewAC{{Text: "a"}}}}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "copy of it.db")
	if err := s.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has %v, %v", info, err)
	}
	// What is written afterwards is not in it.
	if err := s.AddTasks(t.Context(), []NewTask{{ID: "T2", Title: "two"}}); err != nil {
		t.Fatal(err)
	}
	restored, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	tasks, err := restored.Tasks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.Task(t.Context(), "T1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Task{want}, tasks); diff != "" {
		t.Errorf("restored (-want +got):\n%s", diff)
	}
	if err := restored.AddTasks(t.Context(), []NewTask{{ID: "T3", Title: "three"}}); err != nil {
		t.Errorf("the copy cannot be written: %v", err)
	}
	if err := s.Backup(t.Context(), path); contracts.CodeOf(err) != contracts.CodeInvalidInput {
		t.Errorf("a path that is taken gave %v", err)
	}
	if err := s.Backup(t.Context(), filepath.Join(path, "below")); contracts.CodeOf(err) != contracts.CodeStoreUnavailable {
		t.Errorf("a path that cannot be gave %v", err)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 4 {
		t.Errorf("beside the copy lie %v, %v", left, err)
	}
}

// TestBackupWhileOthersWrite takes copies while tasks are added two at a time: every copy has whole pairs only.
func TestBackupWhileOthersWrite(t *testing.T) {
	s, err := Open(t.Context(), tempPath(t), Options{Durability: DurabilityNormal})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	var group errgroup.Group
	group.Go(func() error {
		for i := range 60 {
			pair := []NewTask{{ID: contracts.Alias(2*i + 1), Title: "x"}, {ID: contracts.Alias(2*i + 2), Title: "y"}}
			if err := s.AddTasks(t.Context(), pair); err != nil {
				return err
			}
		}
		return nil
	})
	group.Go(func() error {
		for i := range 5 {
			path := filepath.Join(dir, contracts.Alias(i+1))
			if err := s.Backup(t.Context(), path); err != nil {
				return err
			}
			if err := wholePairs(t, path); err != nil {
				return err
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

func wholePairs(t *testing.T, path string) error {
	s, err := Open(t.Context(), path, Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	tasks, err := s.Tasks(t.Context())
	if err == nil && len(tasks)%2 != 0 {
		err = errors.New("a copy has half of a pair")
	}
	return err
}
