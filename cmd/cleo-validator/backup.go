package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

func newBackup(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Copy the database while it is in use",
		Long: `Write a consistent copy of the project's database to a file that does not exist yet,
while other processes use it. To restore it, put the copy in the place of
.cleo/validator.db while nothing runs, or name it with --db.`,
		Example: "  cleo-validator backup ~/backups/validator-today.db",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				if err := p.store.Backup(cmd.Context(), args[0]); err != nil {
					return err
				}
				return h.result(flags.json, map[string]any{"ok": true, "file": args[0]}, func(w io.Writer) {
					fmt.Fprintf(w, "copied the database to %s\n", args[0])
				})
			})
		},
	}
}
