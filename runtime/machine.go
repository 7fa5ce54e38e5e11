package runtime

import (
	"errors"

	"github.com/cleocode/cleo-validator/contracts"
)

// ErrOutOfTurn is returned by [Step] for an observation that cannot be made in the state's phase: a verdict while the
// Worker is at work, anything after the end.
var ErrOutOfTurn = errors.New("the observation does not fit the phase of the run")

// Step is the policy of a run, whole: it takes what a round came back with and returns the one [Transition] that follows.
// It is pure, and the only place that counts.
func Step(s State, o Observation) (Transition, error) {
	switch {
	case s.Phase == PhaseVerdict && o.What == Attested:
		return attest(s), nil
	case s.Phase == PhaseVerdict && o.What == Rejected:
		return afterRejection(s, o), nil
	case s.Phase == PhaseVerdict && o.What == Faulted:
		return afterFault(s, o), nil
	case s.Phase == PhaseWorker && o.What == WorkerRespawned:
		return afterHandOver(s, o), nil
	case s.Phase == PhaseWorker && o.What == RespawnFailed:
		return escalateRespawnFailed(s, o.row()), nil
	}
	return Transition{}, ErrOutOfTurn
}

// afterRejection decides on a reject. It spends a slot of the shared budget, and none of validator-partial's own retries.
func afterRejection(s State, o Observation) Transition {
	s = spend(s)
	about := rejection(s)
	switch {
	case o.Loop.spent():
		return escalateLoopSpent(s, about)
	case s.Counter >= s.Max:
		return escalateBudgetSpent(s, about)
	case o.NoProgress:
		return escalateNoProgress(s, about)
	}
	return retryWorker(s, about)
}

// afterFault decides on a fault: the first rule that holds.
func afterFault(s State, o Observation) Transition {
	row := o.row()
	s = spend(s)
	s.Own[row]++
	about := fault(s, row)
	over := s.Own[row] > catalogue[row].Retries
	switch {
	case catalogue[row].Class == contracts.ClassPermanent,
		catalogue[row].Class == contracts.ClassTransientThenPermanent && over:
		return escalatePermanent(s, about)
	case o.Loop.spent():
		return escalateLoopSpent(s, about)
	case s.Counter >= s.Max:
		return escalateBudgetSpent(s, about)
	case over:
		return escalateOwnRetriesSpent(s, about)
	}
	wait := schedule[row][s.Own[row]-1]
	if !o.Loop.allows(wait) {
		return escalateLoopSpent(s, about)
	}
	return retryValidator(s, about, wait)
}

// afterHandOver decides on a candidate that a Worker handed over. It spends nothing: the reject before it did.
func afterHandOver(s State, o Observation) Transition {
	switch {
	case o.NoProgress:
		return escalateNoProgress(s, handOverOf(s))
	case o.Loop.spent():
		return escalateLoopSpent(s, respawnFault(s, rowIndex(contracts.FaultTimeout)))
	}
	return handOver(s)
}

// spend takes a slot of the shared budget. A downgrade was for the attempt that has just been observed.
func spend(s State) State {
	s.Counter++
	s.Downgrade = false
	return s
}
