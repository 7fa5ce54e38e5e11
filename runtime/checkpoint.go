package runtime

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/store"
)

// checkpoint is the durable state of a run: the machine's, and which rejection the next round is about. The rejection
// itself is with the verdicts.
type checkpoint struct {
	State    State             `json:"state"`
	Rejected string            `json:"rejectedBy,omitempty"`
	Subject  contracts.Subject `json:"rejectedSubject,omitzero"`
}

func readCheckpoint(data []byte) (checkpoint, error) {
	var c checkpoint
	if err := json.Unmarshal(data, &c, json.RejectUnknownMembers(true)); err != nil {
		return c, err
	}
	if c.State.Phase == PhaseEnded {
		return c, fmt.Errorf("an unfinished run in phase %s", c.State.Phase)
	}
	return c, c.State.Check()
}

// commitRow commits a transition and its row, nil when it has none.
func (r *run) commitRow(ctx context.Context, t Transition, row *contracts.RetryEntry, settles int) error {
	if r.opts.Journal == nil {
		return nil
	}
	settle, cancel := settling(ctx)
	defer cancel()
	if row != nil {
		entry := *row // the journal gets its own
		row = &entry
	}
	return r.commit(settle, t, row, settles)
}

// commit writes the state after t, and what was decided on, as one.
func (r *run) commit(ctx context.Context, t Transition, entry *contracts.RetryEntry, settles int) error {
	state, err := r.checkpoint(t.State)
	if err != nil {
		return err
	}
	return r.opts.Journal.CommitDecision(ctx, store.Decision{
		RunID: r.result.RunID, State: state, Active: r.active(r.now()),
		Entry: entry, Settles: settles, Outcome: string(t.Outcome),
	})
}

func (r *run) checkpoint(s State) ([]byte, error) {
	data, err := json.Marshal(checkpoint{
		State: s, Rejected: r.rejected.verdict.ValidatorID(), Subject: r.rejected.subject,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding the state of run %s: %w", r.result.RunID, err)
	}
	return data, nil
}
