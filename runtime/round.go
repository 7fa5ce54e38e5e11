package runtime

import (
	"errors"

	"github.com/cleocode/cleo-validator/contracts"
)

// round is what one act of the crew came back with: the observation for the machine, and what its audit row tells beside.
type round struct {
	Observation
	verdict contracts.Verdict
	// subject is the commit judged, or the one handed over.
	subject     contracts.Subject
	message     string
	detail      map[string]any
	validatorID string
	durationMs  *int64
	// settles is the number of the reserved attempt that the decision settles; 0 for a respawn.
	settles int
}

var (
	errNoVerdict = errors.New("the spawner returned neither a verdict nor a fault")
	errNoWorker  = errors.New("no worker is configured to mend the candidate; " +
		"name one with --worker, or mend it by hand and run again")
)

// readAttempt turns what a spawner returned into a round. Only a verdict about this very task is a verdict.
func readAttempt(taskID string, got contracts.Attempt, err error) round {
	d := round{subject: got.Subject, detail: got.Detail}
	switch {
	case err != nil:
		d.failed(Faulted, err)
	case got.Verdict.IsZero():
		d.failed(Faulted, errNoVerdict)
	case got.Verdict.TaskID() != taskID:
		d.failed(Faulted, &contracts.Fault{
			Kind: contracts.FaultPartial, Message: "the verdict is about another task, " + got.Verdict.TaskID(),
		})
	case got.Verdict.Kind() == contracts.VerdictAttest:
		d.What, d.verdict, d.message = Attested, got.Verdict, "every acceptance criterion is attested"
	default:
		d.What, d.verdict = Rejected, got.Verdict
		if rejection, ok := got.Verdict.Rejection(); ok {
			d.message = rejection.Summary
		}
	}
	return d
}

// readRespawn turns what a Worker returned into a round.
func readRespawn(subject contracts.Subject, err error) round {
	d := round{subject: subject}
	if err != nil {
		d.failed(RespawnFailed, err)
		return d
	}
	d.What = WorkerRespawned
	return d
}

// failed notes an error: the kind of its fault, or timeout for an error that is none, with its message kept.
func (d *round) failed(what Observed, err error) {
	d.What, d.Kind, d.message = what, contracts.FaultTimeout, err.Error()
	fault, ok := errors.AsType[*contracts.Fault](err)
	if !ok || rowIndex(fault.Kind) < 0 {
		return
	}
	d.Kind = fault.Kind
	if error(fault) == err {
		d.message = fault.Message
	}
	if d.message == "" {
		d.message = catalogue[rowIndex(fault.Kind)].Description
	}
	d.detail = mergeDetail(d.detail, fault.Detail)
}

// mergeDetail returns both objects as one; over wins. Neither is changed.
func mergeDetail(under, over map[string]any) map[string]any {
	if len(under) == 0 {
		return over
	}
	if len(over) == 0 {
		return under
	}
	out := make(map[string]any, len(under)+len(over))
	for k, v := range under {
		out[k] = v
	}
	for k, v := range over {
		out[k] = v
	}
	return out
}
