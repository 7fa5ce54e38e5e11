package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

func newTaskList(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List every task",
		Long:    "List every task of the ledger with its status and how many of its criteria are bound.",
		Example: "  cleo-validator task list --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				tasks, err := p.store.Tasks(cmd.Context())
				if err != nil {
					return err
				}
				views := make([]taskView, 0, len(tasks))
				for _, task := range tasks {
					views = append(views, viewTask(task))
				}
				return h.result(flags.json, map[string]any{"ok": true, "tasks": views}, func(w io.Writer) { describeTasks(w, views) })
			})
		},
	}
}

func describeTasks(w io.Writer, tasks []taskView) {
	for _, task := range tasks {
		bound := 0
		for _, ac := range task.ACs {
			if ac.BindingStatus == contracts.BindingSatisfied {
				bound++
			}
		}
		fmt.Fprintf(w, "%-12s %-10s %d/%d bound  %s\n", task.ID, task.Status, bound, len(task.ACs), oneLine(task.Title))
	}
}
