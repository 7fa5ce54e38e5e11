package tools

import "context"

// Tool is one operation as every face of the program sees it.
type Tool[In, Out any] struct {
	// Name is the wire name, such as validator.attest; its schemas are contracts.Schema(Name + ".input") and ".output".
	Name string
	// Description is one paragraph for the model that chooses a tool.
	Description string
	// ReadOnly tools change nothing; Idempotent ones may be repeated.
	ReadOnly, Idempotent bool
	// Invoke does the work. Every error carries a code of package contracts.
	Invoke func(ctx context.Context, in In) (Out, error)
}
