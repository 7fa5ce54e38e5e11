package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

func newTaskShow(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "show TASK",
		Short:   "Show one task with its criteria and checks",
		Long:    "Show a task, its acceptance criteria with their UUIDs, and the machine check of each.",
		Example: "  cleo-validator task show T1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				task, err := p.store.Task(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				view := viewTask(task)
				return h.result(flags.json, map[string]any{"ok": true, "task": view}, func(w io.Writer) { describeTask(w, view) })
			})
		},
	}
}

func describeTask(w io.Writer, task taskView) {
	fmt.Fprintf(w, "%s  %s  %s\n", task.ID, task.Status, oneLine(task.Title))
	for _, ac := range task.ACs {
		fmt.Fprintf(w, "  %-5s %-11s %s\n        %s\n", ac.Alias, ac.BindingStatus, oneLine(ac.Text), ac.ID)
		if ac.Check != nil {
			fmt.Fprintf(w, "        check: %s\n", oneLine(describeCheck(*ac.Check)))
		}
	}
}

// describeCheck is a machine check in a few words.
func describeCheck(c contracts.Check) string {
	text := c.Command
	if text == "" {
		text = c.Atoms
	}
	if c.ExpectedExitCode != 0 {
		text += fmt.Sprintf(" (exit %d)", c.ExpectedExitCode)
	}
	if c.ExpectedOutputContains != "" {
		text += fmt.Sprintf(" (prints %q)", c.ExpectedOutputContains)
	}
	return text
}
