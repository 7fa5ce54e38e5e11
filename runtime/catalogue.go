package runtime

import (
	"slices"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/cleocode/cleo-validator/contracts"
)

// Row is what one kind of fault costs.
type Row struct {
	Kind   contracts.FaultKind
	Family contracts.FaultFamily
	// Retries is how often a fault of this kind alone is retried in one run, whatever is left of the shared budget.
	Retries int
	// Backoffs are the waits before the first and the second retry; later retries wait like the second. Empty: no wait.
	Backoffs []time.Duration
	Class    contracts.FaultClass
	// Downgrade asks the next spawn, and only that one, for the smaller model tier.
	Downgrade  bool
	Escalation contracts.Code
	// Description is one sentence for operators.
	Description string
}

// Catalogue returns the fault table in its canonical order, which is that of [contracts.FaultKinds]. The caller owns it.
func Catalogue() []Row {
	rows := slices.Clone(catalogue[:])
	for i := range rows {
		rows[i].Backoffs = slices.Clone(rows[i].Backoffs)
	}
	return rows
}

// Lookup returns the row of a kind, and false when the catalogue has none.
func Lookup(kind contracts.FaultKind) (Row, bool) {
	i := rowIndex(kind)
	if i < 0 {
		return Row{}, false
	}
	row := catalogue[i]
	row.Backoffs = slices.Clone(row.Backoffs)
	return row, true
}

// Policy returns a fresh backoff policy of the row: the wait before each retry in turn, without jitter, then
// [backoff.Stop].
func (r Row) Policy() backoff.BackOff {
	if r.Retries == 0 {
		return &backoff.StopBackOff{}
	}
	return backoff.WithMaxRetries(r.waits(), uint64(r.Retries))
}

func (r Row) waits() backoff.BackOff {
	switch len(r.Backoffs) {
	case 0:
		return &backoff.ZeroBackOff{}
	case 1:
		return backoff.NewConstantBackOff(r.Backoffs[0])
	}
	first, last := r.Backoffs[0], r.Backoffs[len(r.Backoffs)-1]
	return backoff.NewExponentialBackOff(
		backoff.WithInitialInterval(first),
		backoff.WithMultiplier(float64(r.Backoffs[1])/float64(first)),
		backoff.WithMaxInterval(last),
		backoff.WithRandomizationFactor(0),
		backoff.WithMaxElapsedTime(0),
	)
}

// kinds is the number of rows; a state counts faults in an array of that length, by the row's place in the catalogue.
const kinds = 7

// catalogue is the canonical fault table. Stored states refer to its order: a new row goes to the end.
var catalogue = [kinds]Row{
	{
		Kind: contracts.FaultNoACs, Family: contracts.FamilySemantic, Class: contracts.ClassPermanent,
		Escalation:  contracts.CodeNoACs,
		Description: "The task has no acceptance criteria, so there is nothing to judge; add some.",
	},
	{
		Kind: contracts.FaultPartial, Family: contracts.FamilySemantic, Class: contracts.ClassTransient, Retries: 1,
		Escalation:  contracts.CodePartial,
		Description: "The Validator ended without a usable verdict.",
	},
	{
		Kind: contracts.FaultUnreachable, Family: contracts.FamilySemantic, Class: contracts.ClassTransient, Retries: 2,
		Backoffs:    []time.Duration{10 * time.Second, 30 * time.Second},
		Escalation:  contracts.CodeUnreachable,
		Description: "The Validator could not reach a service that it depends on.",
	},
	{
		Kind: contracts.FaultToolNotResolved, Family: contracts.FamilySemantic, Class: contracts.ClassPermanent,
		Escalation:  contracts.CodeToolNotResolved,
		Description: "A program that the validation needs is not there; install it or mend .cleo/project-context.json.",
	},
	{
		Kind: contracts.FaultTimeout, Family: contracts.FamilyInfra, Class: contracts.ClassTransient, Retries: 2,
		Backoffs:    []time.Duration{5 * time.Second, 30 * time.Second},
		Escalation:  contracts.CodeTimeout,
		Description: "The Validator passed its deadline, or failed in a way that has no kind of its own.",
	},
	{
		Kind: contracts.FaultConduitDrop, Family: contracts.FamilyInfra, Class: contracts.ClassTransient, Retries: 3,
		Escalation:  contracts.CodeVerdictDropped,
		Description: "A verdict may have been shipped, but was lost before the Lead observed it.",
	},
	{
		Kind: contracts.FaultOOM, Family: contracts.FamilyInfra, Class: contracts.ClassTransientThenPermanent, Retries: 1,
		Downgrade:   true,
		Escalation:  contracts.CodeOOM,
		Description: "The Validator ran out of memory; it is retried once with the smaller model tier.",
	},
}

// rowIndex returns the place of a kind in the catalogue, -1 when it has none.
func rowIndex(kind contracts.FaultKind) int {
	for i := range catalogue {
		if catalogue[i].Kind == kind {
			return i
		}
	}
	return -1
}

// maxRetries is the largest number of own retries that a row may have.
const maxRetries = 3

// schedule holds, per row, the wait before each retry, read off the row's policy once so that a step allocates nothing.
var schedule = func() (out [kinds][maxRetries]time.Duration) {
	for i := range catalogue {
		policy := catalogue[i].Policy()
		for n := range catalogue[i].Retries {
			out[i][n] = policy.NextBackOff()
		}
	}
	return out
}()
