package runtime

// Outcome is how a run ended.
type Outcome string

// The three outcomes.
const (
	// OutcomeAttest: a Validator attested every acceptance criterion.
	OutcomeAttest Outcome = "attest"
	// OutcomeEscalateHITL: the run gave up and a human has to look (human in the loop).
	OutcomeEscalateHITL Outcome = "escalate-hitl"
	// OutcomeEscalatePermanent: a fault that retrying cannot mend.
	OutcomeEscalatePermanent Outcome = "escalate-permanent"
)

// Outcomes lists every outcome of a run.
func Outcomes() []Outcome {
	return []Outcome{OutcomeAttest, OutcomeEscalateHITL, OutcomeEscalatePermanent}
}
