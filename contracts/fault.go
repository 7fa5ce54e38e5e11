package contracts

// FaultKind names one way in which a validation ends without a verdict. The fault catalogue in package runtime says
// what each one costs.
type FaultKind string

// The seven kinds of the fault catalogue.
const (
	FaultNoACs           FaultKind = "validator-rejected-no-acs"
	FaultPartial         FaultKind = "validator-partial"
	FaultUnreachable     FaultKind = "validator-unreachable"
	FaultToolNotResolved FaultKind = "tool-not-resolved"
	FaultTimeout         FaultKind = "timeout"
	FaultConduitDrop     FaultKind = "conduit-drop"
	FaultOOM             FaultKind = "validator-OOM"
)

// FaultKinds lists the kinds in the order of the catalogue.
func FaultKinds() []FaultKind {
	return []FaultKind{
		FaultNoACs, FaultPartial, FaultUnreachable, FaultToolNotResolved, FaultTimeout, FaultConduitDrop, FaultOOM,
	}
}

// FaultFamily says whether the Validator or what carries it failed.
type FaultFamily string

// The two families.
const (
	FamilySemantic FaultFamily = "semantic"
	FamilyInfra    FaultFamily = "infra"
)

// FaultClass says whether trying again can help.
type FaultClass string

// The three classes.
const (
	ClassPermanent              FaultClass = "permanent"
	ClassTransient              FaultClass = "transient"
	ClassTransientThenPermanent FaultClass = "transient-then-permanent"
)

// Fault is an attempt that ended without a verdict through no proven fault of the Worker. It is an error, so that whoever
// detects one returns it, and errors.As finds it through wrapping.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Message string    `json:"message"`
	// Detail is a JSON object for programs: the program that is missing, the pattern that matched. Nil when there is none.
	Detail map[string]any `json:"detail,omitempty"`
}

// Error returns the kind and the message.
func (f *Fault) Error() string { return string(f.Kind) + ": " + f.Message }
