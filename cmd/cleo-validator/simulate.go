package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/runtime"
)

func newSimulate(h host, _ *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "simulate",
		Short: "Play made-up runs through the real policy",
		Long: `Read one run a line from standard input, {"retryMax":3,"events":["reject","timeout"]},
and write what the real policy makes of it: outcome, spawns and audit rows, without
sleeping. Events are attest, reject, respawn-fails right after a reject, or the kind
of a fault. Too few events give the outcome incomplete.`,
		Example: `  echo '{"retryMax":3,"events":["reject","timeout","attest"]}' | cleo-validator simulate`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runtime.Simulate(cmd.Context(), h.in, h.out)
		},
	}
}
