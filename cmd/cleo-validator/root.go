package main

import (
	"errors"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

// version is set by release builds with -ldflags "-X main.version=…".
var version = "dev"

// globalFlags are the flags of every command.
type globalFlags struct {
	project string
	db      string
	json    bool
}

func newRoot(h host) *cobra.Command {
	flags := &globalFlags{}
	root := &cobra.Command{
		Use:   "cleo-validator",
		Short: "Decide whether an agent's \"done\" is true",
		Long: `cleo-validator has an independent Validator judge every acceptance criterion of a
task, in its own worktree of the commit that a Worker handed over. Every criterion
passes: the verdict is an attestation and opens the gate. Anything else: it is a
rejection and goes back to the Worker, within one retry budget.`,
		Example: `  cleo-validator demo
  cleo-validator init
  cleo-validator task add T1 --title "It builds" --ac "it builds" --check "make build"
  cleo-validator run T1 --agent builtin
  cleo-validator complete T1`,
		Version:       versionText(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().StringVar(&flags.project, "project", "", "the project's directory (default: nearest parent with .cleo or .git)")
	root.PersistentFlags().StringVar(&flags.db, "db", "", "the database file (default: .cleo/validator.db in the project)")
	root.PersistentFlags().BoolVar(&flags.json, "json", false, "print the result as JSON")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(err) })
	for _, add := range commands {
		root.AddCommand(add(h, flags))
	}
	refuseBadArguments(root)
	return root
}

// commands lists every command's constructor, in the order of the help.
var commands = []func(host, *globalFlags) *cobra.Command{
	newDemo, newInit, newTask,
	newACPull, newAttest, newReject, newSpawn,
	newRun, newGate, newComplete,
	newEvidence, newVerdict, newFaults, newSimulate, newSchema, newAgents, newBackup,
	newBuiltin, newDemoWorker,
}

// refuseBadArguments gives the complaints of the command-line library our error form.
func refuseBadArguments(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usageError(err)
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		refuseBadArguments(sub)
	}
}

func usageError(err error) error {
	if _, coded := errors.AsType[*contracts.Error](err); coded {
		return err
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return contracts.Errorf(contracts.CodeInvalidInput, "%s", first)
}

// versionText is the version and the commit that the binary was built from, as far as the build recorded them.
func versionText() string {
	commit, modified := "unknown", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			switch {
			case setting.Key == "vcs.revision":
				commit = setting.Value
			case setting.Key == "vcs.modified" && setting.Value == "true":
				modified = ", modified"
			}
		}
	}
	return "cleo-validator " + version + " (commit " + commit + modified + ")"
}
