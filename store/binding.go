package store

import (
	"fmt"

	"github.com/cleocode/cleo-validator/contracts"
)

// Binding is one row of evidence for a criterion.
type Binding struct {
	ID     string
	AtomID string
	ACID   string
	Type   contracts.BindingType
	// CreatedAt begins with the date; what follows is its writer's choice.
	CreatedAt string
	// Attestation is the envelope behind a row that our attest wrote. Nil: we hold none.
	Attestation *AttestedBy
}

const (
	insertBinding = `
		INSERT INTO {bindings} (id, evidence_atom_id, ac_id, binding_type, created_at)
		VALUES (?, ?, ?, 'coverage', ?)
		ON CONFLICT (evidence_atom_id, ac_id, binding_type) DO NOTHING
		RETURNING id`

	selectBinding = `
		SELECT id
		FROM {bindings}
		WHERE evidence_atom_id = ? AND ac_id = ? AND binding_type = 'coverage'`

	selectBindings = `
		SELECT
			b.id,
			b.evidence_atom_id,
			b.ac_id,
			b.binding_type,
			b.created_at
		FROM {criteria} c
		CROSS JOIN {bindings} b ON b.ac_id = c.id
		WHERE c.task_id = ?
		ORDER BY b.rowid`
)

// bind makes sure that a coverage row of the atom stands for each finding, and returns the rows' ids in that order.
func (tx *transaction) bind(atomID string, findings []contracts.Finding) ([]string, error) {
	ids := make([]string, len(findings))
	for i, f := range findings {
		written, err := tx.row(insertBinding, []any{tx.newID(), atomID, f.ACID, tx.now}, &ids[i])
		if err == nil && !written {
			_, err = tx.row(selectBinding, []any{atomID, f.ACID}, &ids[i])
		}
		if err != nil {
			return nil, fmt.Errorf("binding %s: %w", f.ACID, err)
		}
	}
	return ids, nil
}

// bindings reads the rows of a task by criterion, in the order in which they were written.
func (tx *transaction) bindings(taskID string) (map[string][]Binding, error) {
	out := map[string][]Binding{}
	err := tx.each(selectBindings, []any{taskID}, func(scan scanner) error {
		var b Binding
		err := scan(&b.ID, &b.AtomID, &b.ACID, &b.Type, &b.CreatedAt)
		out[b.ACID] = append(out[b.ACID], b)
		return err
	})
	return out, err
}
