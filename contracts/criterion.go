package contracts

// BindingStatus says whether a criterion has a binding of any type.
type BindingStatus string

// The two statuses.
const (
	BindingSatisfied   BindingStatus = "satisfied"
	BindingUnsatisfied BindingStatus = "unsatisfied"
)

// Criterion is one acceptance criterion of a task as validator.ac-pull tells it.
type Criterion struct {
	ID            string        `json:"id" jsonschema:"the criterion's UUID; use it as acId"`
	Alias         string        `json:"alias" jsonschema:"AC and the ordinal"`
	Ordinal       int           `json:"ordinal" jsonschema:"1-based; never reused, gaps allowed"`
	Text          string        `json:"text"`
	BindingStatus BindingStatus `json:"bindingStatus" jsonschema:"satisfied when at least one binding exists"`
}

// UncoveredAC is a criterion that keeps the gate shut.
type UncoveredAC struct {
	ACID  string `json:"acId"`
	Alias string `json:"alias"`
	Text  string `json:"text"`
	// Reason says why a binding that is there does not count; empty when there is none.
	Reason string `json:"reason,omitempty"`
}
