package main

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

func newSchema(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema of the wire format",
		Long: `Print the draft 2020-12 JSON Schema of an envelope, of the audit row, or of a tool's
input or output. Without a name the names are listed. Names:
` + indent(strings.Join(contracts.SchemaNames(), "\n")),
		Example: "  cleo-validator schema attestation > attestation.schema.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return h.listSchemas(flags.json)
			}
			schema, err := contracts.Schema(args[0])
			if err != nil {
				return err
			}
			return h.write(append(bytes.TrimRight(schema, "\n"), '\n'))
		},
	}
}

func (h host) listSchemas(asJSON bool) error {
	names := contracts.SchemaNames()
	if asJSON {
		return h.printJSON(map[string]any{"ok": true, "schemas": names})
	}
	return h.write([]byte(strings.Join(names, "\n") + "\n"))
}

// indent sets text off in a help page.
func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return "  " + strings.ReplaceAll(strings.Join(lines, "\n  "), "\n  \n", "\n\n")
}
