package runtime

import (
	"slices"

	"github.com/cleocode/cleo-validator/contracts"
)

// unchanged reports whether the Worker handed over the very candidate that was rejected. Without git nobody can tell.
func (r *run) unchanged(handedOver contracts.Subject) bool {
	return handedOver.Tree != "" && handedOver == r.rejected.subject
}

// repeats reports whether a round rejects the same criteria of the same tree as the rejection before it. Faults between
// the two do not matter: they say nothing about the candidate.
func (r *run) repeats(d *round) bool {
	return d.What == Rejected && d.subject.Tree != "" && d.subject.Tree == r.rejected.subject.Tree &&
		slices.Equal(failingACs(d.verdict), failingACs(r.rejected.verdict))
}

// failingACs returns the criteria that a verdict does not pass, sorted.
func failingACs(v contracts.Verdict) []string {
	var out []string
	for _, finding := range v.Findings() {
		if finding.Status != contracts.StatusPass {
			out = append(out, finding.ACID)
		}
	}
	slices.Sort(out)
	return out
}
