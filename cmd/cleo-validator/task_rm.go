package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func newTaskRemove(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "rm TASK",
		Short:   "Remove a task with its criteria and bindings",
		Long:    "Remove a task from the ledger. Its verdicts and audit rows stay.",
		Example: "  cleo-validator task rm T1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				if err := p.store.RemoveTask(cmd.Context(), args[0]); err != nil {
					return err
				}
				return h.result(flags.json, map[string]any{"ok": true, "taskId": args[0]}, func(w io.Writer) {
					fmt.Fprintf(w, "removed %s\n", args[0])
				})
			})
		},
	}
}
