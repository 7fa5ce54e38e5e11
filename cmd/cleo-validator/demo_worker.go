package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/internal/git"
)

// demoWorkerCommand is the hidden command that plays the Worker in the demo, in a process of its own.
const demoWorkerCommand = "demo-worker"

// The Worker's two tries. The first subtracts, and its test suite, typically, tests nothing of it.
const (
	demoBug = "[ $# -eq 2 ] || exit 2\necho $(($1 - $2))\n"
	demoFix = "[ $# -eq 2 ] || { echo 'usage: add.sh A B' >&2; exit 2; }\necho $(($1 + $2))\n"

	demoLaxTest    = "sh add.sh 2 3 > /dev/null && echo all tests pass\n"
	demoHonestTest = "[ \"$(sh add.sh 2 3)\" = 5 ] && [ \"$(sh add.sh -1 1)\" = 0 ] && echo all tests pass\n"
)

func newDemoWorker(h host, _ *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:     demoWorkerCommand + " [REJECTION]",
		Short:   "Be the Worker of the demo",
		Long:    "Commit a first try with a bug, or read the rejection in the file and commit the fix.",
		Example: "  cleo-validator " + demoWorkerCommand,
		Hidden:  true,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := os.Getwd()
			if err != nil {
				return unwritable(err)
			}
			if len(args) == 0 {
				return writeTry(cmd.Context(), dir, demoBug, demoLaxTest, "Add add.sh and its tests")
			}
			return h.mendDemo(cmd.Context(), dir, args[0])
		},
	}
}

// mendDemo does what a Worker is asked to: read the rejection and mend every finding in it that is no pass.
func (h host) mendDemo(ctx context.Context, dir, rejectionFile string) error {
	envelope, err := h.readEnvelope(rejectionFile)
	if err != nil {
		return err
	}
	rejection, err := contracts.ParseRejection(envelope)
	if err != nil {
		return err
	}
	var reasons []string
	for _, finding := range rejection.Findings {
		if finding.Status != contracts.StatusPass {
			reasons = append(reasons, oneLine(finding.Reasoning))
		}
	}
	fmt.Fprintln(h.out, "the Worker reads:", strings.Join(reasons, "; "))
	return writeTry(ctx, dir, demoFix, demoHonestTest, "Add instead of subtracting, and test it")
}

func writeTry(ctx context.Context, dir, program, test, message string) error {
	for name, text := range map[string]string{"add.sh": program, "test.sh": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return unwritable(err)
		}
	}
	return commitAll(ctx, git.At(dir), message)
}

// commitAll commits what is in the directory, with an identity of its own, so that a home without one works.
func commitAll(ctx context.Context, repo git.Repo, message string) error {
	if _, err := repo.Run(ctx, "add", "--all", "--", ".", ":(exclude).cleo"); err != nil {
		return err
	}
	_, err := repo.Run(ctx, "-c", "user.name=Demo Worker", "-c", "user.email=worker@demo.invalid",
		"commit", "--quiet", "--no-gpg-sign", "--message", message)
	return err
}
