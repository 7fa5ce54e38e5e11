package store

import (
	"context"

	"github.com/cleocode/cleo-validator/contracts"
)

const (
	selectVerdict = `SELECT recorded_at FROM validator_verdicts WHERE digest = ?`

	insertVerdict = `
		INSERT INTO validator_verdicts (
			digest,
			task_id,
			validator_id,
			verdict,
			envelope,
			commit_id,
			tree_id,
			agent_id,
			recorded_at
		) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		RETURNING seq`

	insertFinding = `INSERT INTO validator_findings (seq, ac_id, status, content_hash) VALUES (?, ?, ?, ?)`

	selectEnvelope = `
		SELECT envelope
		FROM validator_verdicts
		WHERE task_id = ? AND validator_id = ?
		ORDER BY seq DESC
		LIMIT 1`

	selectAttestations = `
		SELECT
			v.seq,
			v.validator_id,
			v.agent_id,
			v.commit_id,
			v.tree_id,
			f.ac_id,
			f.content_hash
		FROM validator_verdicts v
		JOIN validator_findings f ON f.seq = v.seq
		WHERE v.task_id = ? AND v.verdict = 'attest'
		ORDER BY v.seq`

	selectLastRejection = `
		SELECT
			seq,
			validator_id,
			commit_id,
			tree_id
		FROM validator_verdicts
		WHERE task_id = ? AND verdict = 'reject'
		ORDER BY seq DESC
		LIMIT 1`
)

// VerdictBy returns the latest accepted envelope of a Validator on a task, and false when there is none.
func (s *Store) VerdictBy(ctx context.Context, taskID, validatorID string) (contracts.Verdict, bool, error) {
	var (
		envelope string
		found    bool
	)
	step := "reading the verdict of " + validatorID
	err := s.read(ctx, step, func(tx *transaction) (err error) {
		found, err = tx.row(selectEnvelope, []any{taskID, validatorID}, &envelope)
		return err
	})
	if err != nil || !found {
		return contracts.Verdict{}, false, err
	}
	verdict, err := contracts.ParseVerdict([]byte(envelope))
	if err != nil {
		return contracts.Verdict{}, false, damaged(s.path, err)
	}
	return verdict, true, nil
}

// insertVerdict keeps the envelope, and per finding what it said and the text that it was about.
func (tx *transaction) insertVerdict(r VerdictRecord, findings []contracts.Finding, hashes map[string]string) error {
	v := r.Verdict
	var seq int64
	_, err := tx.row(insertVerdict, []any{
		v.Digest(), v.TaskID(), v.ValidatorID(), string(v.Kind()), string(v.Canonical()),
		r.Subject.Commit, r.Subject.Tree, r.AgentID, tx.now,
	}, &seq)
	for _, f := range findings {
		if err == nil {
			_, err = tx.exec(insertFinding, seq, f.ACID, string(f.Status), hashes[f.ACID])
		}
	}
	return err
}

// attestations returns, by atom and criterion, the latest envelope behind our bindings of a task.
func (tx *transaction) attestations(taskID string) (map[[2]string]*AttestedBy, error) {
	out := map[[2]string]*AttestedBy{}
	err := tx.each(selectAttestations, []any{taskID}, func(scan scanner) error {
		var (
			a    AttestedBy
			acID string
		)
		err := scan(&a.Seq, &a.ValidatorID, &a.AgentID, &a.Subject.Commit, &a.Subject.Tree, &acID, &a.ContentHash)
		out[[2]string{contracts.AtomID(a.ValidatorID, taskID), acID}] = &a
		return err
	})
	return out, err
}

// lastRejection returns the latest accepted rejection of a task, nil when there is none.
func (tx *transaction) lastRejection(taskID string) (*VerdictInfo, error) {
	var r VerdictInfo
	found, err := tx.row(selectLastRejection, []any{taskID},
		&r.Seq, &r.ValidatorID, &r.Subject.Commit, &r.Subject.Tree)
	if err != nil || !found {
		return nil, err
	}
	return &r, nil
}
