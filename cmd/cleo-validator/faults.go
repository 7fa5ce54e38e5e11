package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
)

// faultView is a row of the fault catalogue as faults prints it.
type faultView struct {
	Kind           contracts.FaultKind   `json:"kind"`
	Family         contracts.FaultFamily `json:"family"`
	Retries        int                   `json:"retries"`
	BackoffMs      []int64               `json:"backoffMs"`
	Downgrade      bool                  `json:"downgradeModelTier"`
	Classification contracts.FaultClass  `json:"classification"`
	EscalationCode contracts.Code        `json:"escalationCode"`
	Description    string                `json:"description"`
}

func newFaults(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "faults",
		Short:   "Print the fault catalogue",
		Long:    "Print every way in which a validation can end without a verdict, and what each costs.",
		Example: "  cleo-validator faults\n  cleo-validator faults --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			var rows []faultView
			for _, row := range runtime.Catalogue() {
				rows = append(rows, viewFault(row))
			}
			return h.result(flags.json, map[string]any{"ok": true, "faults": rows}, func(w io.Writer) { describeFaults(w, rows) })
		},
	}
}

func viewFault(row runtime.Row) faultView {
	view := faultView{
		Kind: row.Kind, Family: row.Family, Retries: row.Retries, BackoffMs: []int64{}, Downgrade: row.Downgrade,
		Classification: row.Class, EscalationCode: row.Escalation, Description: row.Description,
	}
	for _, wait := range row.Backoffs {
		view.BackoffMs = append(view.BackoffMs, wait.Milliseconds())
	}
	return view
}

func describeFaults(w io.Writer, rows []faultView) {
	fmt.Fprintf(w, "%-26s %-9s %-8s %-10s %-25s %s\n", "KIND", "FAMILY", "RETRIES", "BACKOFF", "CLASS", "ESCALATION")
	for _, row := range rows {
		var waits []string
		for _, ms := range row.BackoffMs {
			waits = append(waits, (time.Duration(ms) * time.Millisecond).String())
		}
		if len(waits) == 0 {
			waits = []string{"none"}
		}
		fmt.Fprintf(w, "%-26s %-9s %-8d %-10s %-25s %s\n    %s\n", row.Kind, row.Family, row.Retries,
			strings.Join(waits, ", "), row.Classification, row.EscalationCode, row.Description)
	}
}
