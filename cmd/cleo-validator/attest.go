package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

// envelopeLimit is how much of an envelope is read, in bytes: enough for the contract to refuse what is too large.
const envelopeLimit = contracts.MaxDocument + 4

func newAttest(h host, flags *globalFlags) *cobra.Command {
	var (
		file    string
		partial bool
		who     callerFlags
	)
	cmd := &cobra.Command{
		Use:   "attest -f FILE --role validator",
		Short: "Ship an attestation (tool validator.attest)",
		Long: `Ship the verdict that every acceptance criterion of a task passes. One coverage
binding per criterion is written in one transaction, or none at all. The answer is
the JSON envelope of validator.attest.`,
		Example: `  cleo-validator attest -f attestation.json --role validator --agent-id reviewer-7
  my-agent | cleo-validator attest -f - --role validator`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{alwaysJSON: "yes"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			caller, envelope, err := readVerdictInput(h, who, file)
			if err != nil {
				return err
			}
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				out, err := p.tools(nil).Attest().Invoke(cmd.Context(), contracts.AttestInput{
					ProjectRoot: p.root, Caller: caller, Attestation: envelope, AllowPartial: partial,
				})
				if err != nil {
					return err
				}
				return h.printJSON(out)
			})
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "the envelope's file, - for standard input")
	cmd.Flags().BoolVar(&partial, "allow-partial", false, "accept an attestation of some of the task's criteria only")
	who.register(cmd)
	return cmd
}

// readVerdictInput reads what attest and reject have in common: the caller, then the envelope's bytes.
func readVerdictInput(h host, who callerFlags, file string) (contracts.Caller, []byte, error) {
	caller, err := who.caller()
	if err != nil {
		return contracts.Caller{}, nil, err
	}
	if file == "" {
		return contracts.Caller{}, nil, contracts.Errorf(contracts.CodeInvalidInput, "no envelope was named").
			WithFix("name its file with -f, or - for standard input")
	}
	envelope, err := h.readEnvelope(file)
	return caller, envelope, err
}
