package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

func newSpawn(h host, flags *globalFlags) *cobra.Command {
	var (
		in  contracts.SpawnInput
		who callerFlags
	)
	cmd := &cobra.Command{
		Use:   "spawn TASK --role orchestrator --tier 1",
		Short: "Prepare a Validator for a harness to start (tool spawn.validator)",
		Long: `Prepare a fresh Validator without starting it: a detached worktree of HEAD, the
prompt, the whole environment, a session id and a validator id. The answer is the
JSON envelope of spawn.validator. The worktree is the caller's for 24 hours; git
worktree remove --force ends it earlier.`,
		Example:     "  cleo-validator spawn T1 --role orchestrator --tier 1",
		Args:        cobra.ExactArgs(1),
		Annotations: map[string]string{alwaysJSON: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			caller, err := who.caller()
			if err != nil {
				return err
			}
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				spawner, err := p.spawner(runOptions{
					agent: p.settings.Agent, agentCommand: p.settings.AgentCommand,
					timeout: p.settings.Timeout, passEnv: p.settings.PassEnv,
				})
				if err != nil {
					return err
				}
				in.ProjectRoot, in.Caller, in.TaskID = p.root, caller, args[0]
				out, err := p.tools(spawner).Spawn().Invoke(cmd.Context(), in)
				if err != nil {
					return err
				}
				return h.printJSON(out)
			})
		},
	}
	cmd.Flags().StringVar(&in.SpawnScope, "scope", "", "the part of the project to look at, told to the Validator")
	cmd.Flags().BoolVar(&in.NoWorktree, "no-worktree", false, "validate in the project itself")
	who.register(cmd)
	return cmd
}
