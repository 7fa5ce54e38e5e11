package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/spawn"
)

func newAgents(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "agents",
		Short:   "List the Validator agents",
		Long:    "List what run --agent can start, and whether it is there to be started.",
		Example: "  cleo-validator agents",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			root, err := findProject(flags.project)
			if err != nil {
				return err
			}
			settings, err := loadSettings(h, root)
			if err != nil {
				return err
			}
			presets := spawn.Agents(settings.AgentCommand, root, h.environ)
			return h.result(flags.json, map[string]any{"ok": true, "agents": presets}, func(w io.Writer) { describeAgents(w, presets) })
		},
	}
}

func describeAgents(w io.Writer, presets []spawn.Preset) {
	for _, preset := range presets {
		state := "ready"
		if !preset.Installed {
			state = "missing"
		}
		fmt.Fprintf(w, "%-10s %-8s %s\n", preset.Name, state, preset.Description)
	}
}
