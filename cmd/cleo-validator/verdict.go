package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

// verdictReport is one line of verdict check.
type verdictReport struct {
	OK      bool                  `json:"ok"`
	Verdict contracts.VerdictKind `json:"verdict"`
	Digest  string                `json:"digest"`
}

func newVerdict(h host, flags *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "verdict",
		Short:   "Work with verdict envelopes",
		Long:    "Check verdict envelopes without a project or a database.",
		Example: "  cleo-validator verdict check envelope.json",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newVerdictCheck(h))
	return cmd
}

func newVerdictCheck(h host) *cobra.Command {
	var ndjson bool
	cmd := &cobra.Command{
		Use:   "check [FILE|-]",
		Short: "Say whether an envelope is a valid verdict",
		Long: `Judge an envelope by every rule of the contract and print {ok, verdict, digest}, or
{ok:false, code, message, details.violations} and exit 1. With --ndjson each line is
an envelope, each gets a line, and the exit code is 0 when all lines could be judged.`,
		Example: `  cleo-validator verdict check attestation.json
  cleo-validator verdict check --ndjson < envelopes.ndjson`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := "-"
			if len(args) == 1 {
				name = args[0]
			}
			if ndjson {
				return h.checkVerdictLines(name)
			}
			return h.checkVerdict(name)
		},
	}
	cmd.Flags().BoolVar(&ndjson, "ndjson", false, "read one envelope a line")
	return cmd
}

// judgeVerdict returns the report on one envelope, and whether it is a valid verdict.
func judgeVerdict(envelope []byte) (report any, valid bool) {
	verdict, err := contracts.ParseVerdict(envelope)
	if err != nil {
		return contracts.Envelope(err), false
	}
	return verdictReport{OK: true, Verdict: verdict.Kind(), Digest: verdict.Digest()}, true
}

func (h host) checkVerdict(name string) error {
	envelope, err := h.readEnvelope(name)
	if err != nil {
		return err
	}
	report, valid := judgeVerdict(envelope)
	if err := h.printJSON(report); err != nil {
		return err
	}
	if !valid {
		return exitStatus(exitFailure)
	}
	return nil
}

func (h host) checkVerdictLines(name string) error {
	source, err := h.open(name)
	if err != nil {
		return err
	}
	defer source.Close()
	lines := bufio.NewReaderSize(source, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return unreadable(fmt.Sprintf("%s, line %d", name, number), err)
		}
		if len(line) == 0 {
			continue
		}
		report, _ := judgeVerdict(line)
		if err := h.printJSON(report); err != nil {
			return err
		}
	}
}

// readLine returns the next line without its end, trimmed of blanks. Of a line over the envelope limit it returns as much
// as is needed to refuse it.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), envelopeLimit-len(line))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0):
			return nil, err
		}
		return bytes.TrimSpace(line), nil
	}
}
