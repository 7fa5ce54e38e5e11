package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func newGate(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "gate TASK",
		Short: "Say whether every acceptance criterion of a task is covered",
		Long: `The coverage gate: exit 0 when every acceptance criterion has a binding that
counts, exit 108 when one has not. The configuration key gate.require says which
bindings count.`,
		Example: "  cleo-validator gate T1 && echo covered",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				out, err := p.tools(nil).Gate(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return h.result(flags.json, out, func(w io.Writer) {
					fmt.Fprintf(w, "%s: gate open, %s covered\n", out.TaskID, plural(out.ACs, "acceptance criterion", "acceptance criteria"))
				})
			})
		},
	}
}

// plural returns n with the word that fits it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
