package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/spawn"
)

// builtinCommand is the hidden command that is the builtin Validator's process.
const builtinCommand = "builtin-validator"

func newBuiltin(h host, _ *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     builtinCommand + " ASSIGNMENT",
		Short:   "Be the builtin Validator of one spawn",
		Long:    "Judge the assignment in the file by its machine checks and print one verdict envelope, or a fault report.",
		Example: "  cleo-validator " + builtinCommand + " assignment.json",
		Hidden:  true,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return spawn.ServeBuiltin(cmd.Context(), args[0], h.environ, h.now, h.out)
		},
	}
}
