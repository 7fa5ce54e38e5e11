package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

func newReject(h host, flags *globalFlags) *cobra.Command {
	var (
		file string
		who  callerFlags
	)
	cmd := &cobra.Command{
		Use:   "reject -f FILE --role validator",
		Short: "Ship a rejection (tool validator.reject)",
		Long: `Ship the verdict that at least one acceptance criterion fails or is inconclusive.
The envelope is kept for operators and for the next Worker; no binding is written.
The answer is the JSON envelope of validator.reject.`,
		Example:     "  cleo-validator reject -f rejection.json --role validator",
		Args:        cobra.NoArgs,
		Annotations: map[string]string{alwaysJSON: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			caller, envelope, err := readVerdictInput(h, who, file)
			if err != nil {
				return err
			}
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				out, err := p.tools(nil).Reject().Invoke(cmd.Context(), contracts.RejectInput{
					ProjectRoot: p.root, Caller: caller, Rejection: envelope,
				})
				if err != nil {
					return err
				}
				return h.printJSON(out)
			})
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "the envelope's file, - for standard input")
	who.register(cmd)
	return cmd
}
