package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

func newACPull(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:         "ac-pull TASK",
		Short:       "List a task's acceptance criteria (tool validator.ac-pull)",
		Long:        "Print the acceptance criteria of a task as the JSON envelope of validator.ac-pull. Anyone may call it.",
		Example:     "  cleo-validator ac-pull T1",
		Args:        cobra.ExactArgs(1),
		Annotations: map[string]string{alwaysJSON: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				out, err := p.tools(nil).ACPull().Invoke(cmd.Context(), contracts.ACPullInput{ProjectRoot: p.root, TaskID: args[0]})
				if err != nil {
					return err
				}
				return h.printJSON(out)
			})
		},
	}
}
