package store

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cleocode/cleo-validator/contracts"
)

// BenchmarkRecordVerdict is an attestation of five criteria, beside the bare five inserts and commit that it cannot do
// without, through the same driver with the same settings.
func BenchmarkRecordVerdict(b *testing.B) {
	for _, durability := range []Durability{DurabilityFull, DurabilityNormal} {
		b.Run(string(durability), func(b *testing.B) {
			s, err := Open(context.Background(), filepath.Join(b.TempDir(), "validator.db"), Options{Durability: durability})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			task := add(b, s, "T1", 5)
			b.Run("raw", func(b *testing.B) { benchmarkRawInserts(b, s, task) })
			b.Run("record", func(b *testing.B) { benchmarkRecord(b, s, task) })
		})
	}
}

func benchmarkRawInserts(b *testing.B, s *Store, task Task) {
	insert, err := s.writer.Prepare(`
		INSERT INTO evidence_ac_bindings (id, evidence_atom_id, ac_id, binding_type, created_at)
		VALUES (?, ?, ?, 'coverage', ?)`)
	if err != nil {
		b.Fatal(err)
	}
	defer insert.Close()
	for n := 0; b.Loop(); n++ {
		tx, err := s.writer.Begin()
		if err != nil {
			b.Fatal(err)
		}
		for _, ac := range task.ACs {
			if _, err := tx.Stmt(insert).Exec(s.opts.NewID(), fmt.Sprintf("raw:%d", n), ac.ID, someInstant); err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkRecord(b *testing.B, s *Store, task Task) {
	var verdicts []contracts.Verdict
	for i := range b.N {
		verdicts = append(verdicts, attest(task, fmt.Sprintf("validator-%d", i), ""))
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		record(b, s, verdicts[i])
	}
}

// BenchmarkCoverage is what the gate reads, beside the bare SELECT of the bindings, in a ledger of many other tasks.
func BenchmarkCoverage(b *testing.B) {
	s := openTemp(b)
	var tasks []NewTask
	for i := range 2000 {
		task := NewTask{ID: fmt.Sprintf("X%d", i), Title: "x"}
		for range 5 {
			task.ACs = append(task.ACs, NewAC{Text: "x"})
		}
		tasks = append(tasks, task)
	}
	if err := s.AddTasks(context.Background(), tasks); err != nil {
		b.Fatal(err)
	}
	record(b, s, attest(add(b, s, "T1", 5), "validator-a", ""))
	b.Run("raw", func(b *testing.B) {
		query := s.ledger.sql(selectBindings)
		for b.Loop() {
			rows, err := s.reader.Query(query, "T1")
			if err != nil {
				b.Fatal(err)
			}
			for rows.Next() {
				var r [5]string
				if err := rows.Scan(&r[0], &r[1], &r[2], &r[3], &r[4]); err != nil {
					b.Fatal(err)
				}
			}
			rows.Close()
		}
	})
	b.Run("coverage", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.Coverage(context.Background(), "T1"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
