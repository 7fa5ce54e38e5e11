package store

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

// Coverage is all that the gate's policy needs of one task, as of one instant.
type Coverage struct {
	Task Task
	// Bindings are the rows of evidence by criterion, oldest first.
	Bindings map[string][]Binding
	// LastRejection is the latest accepted rejection; nil when there is none.
	LastRejection *VerdictInfo
}

// AttestedBy tells of the latest accepted attestation behind a binding.
type AttestedBy struct {
	ValidatorID string
	// AgentID is who shipped the envelope; empty when unknown.
	AgentID string
	// Subject is the commit attested; zero in a project without git.
	Subject contracts.Subject
	// ContentHash is that of the criterion's text when it was attested.
	ContentHash string
	// Seq is the order of acceptance among all verdicts.
	Seq int64
}

// VerdictInfo tells of one accepted verdict.
type VerdictInfo struct {
	ValidatorID string
	Subject     contracts.Subject
	// Seq is the order of acceptance among all verdicts.
	Seq int64
}

// Coverage reads what the gate judges by, or returns an error with [contracts.CodeTaskNotFound].
func (s *Store) Coverage(ctx context.Context, taskID string) (Coverage, error) {
	var c Coverage
	err := s.read(ctx, "reading the coverage of "+taskID, func(tx *transaction) (err error) {
		c, err = tx.coverage(taskID)
		return err
	})
	return c, err
}

func (tx *transaction) coverage(taskID string) (c Coverage, err error) {
	if c.Task, err = tx.task(taskID); err != nil {
		return Coverage{}, err
	}
	if c.Bindings, err = tx.bindings(taskID); err != nil {
		return Coverage{}, err
	}
	attestations, err := tx.attestations(taskID)
	if err != nil {
		return Coverage{}, err
	}
	for acID, rows := range c.Bindings {
		for i, row := range rows {
			if row.Type == contracts.BindingCoverage {
				rows[i].Attestation = attestations[[2]string{row.AtomID, acID}]
			}
		}
	}
	c.LastRejection, err = tx.lastRejection(taskID)
	return c, err
}
