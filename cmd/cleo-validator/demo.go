package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

const demoTask = "T1"

func newDemo(h host, flags *globalFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch the whole loop in a scratch repository",
		Long: `Run the whole main job for real in a scratch git repository: a Worker hands over a
program with a bug, the builtin Validator judges its three criteria in a worktree of
the commit and rejects it, the Worker mends it, the Validator attests, the gate opens
and the task is completed. Needs git and sh. Exit 0 only if every step happened.`,
		Example: "  cleo-validator demo",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, err := os.MkdirTemp("", "cleo-validator-demo-")
			if err != nil {
				return contracts.Errorf(contracts.CodeSpawnFailed, "making the scratch directory: %w", err).
					WithFix("set TMPDIR to a directory that can be written")
			}
			d := &demo{host: h.withStateIn(root), root: filepath.Join(root, "project")}
			if flags.json {
				d.story = io.Discard
			} else {
				d.story = h.out
			}
			result, err := d.play(cmd.Context())
			if err != nil {
				return fmt.Errorf("demo in %s: %w", root, err)
			}
			if flags.json {
				return h.printJSON(result)
			}
			return nil
		},
	}
}

// withStateIn returns the host with its state directory in a scratch directory, so that a demo leaves nothing elsewhere.
func (h host) withStateIn(dir string) host {
	h.environ = append(h.environ[:len(h.environ):len(h.environ)], "XDG_STATE_HOME="+filepath.Join(dir, "state"))
	return h
}

// demo is one performance of the story.
type demo struct {
	host    host
	root    string
	story   io.Writer
	project *project
}

// demoResult is the result of demo --json.
type demoResult struct {
	OK       bool                   `json:"ok"`
	Project  string                 `json:"project"`
	Attempts []contracts.RetryEntry `json:"attempts"`
}

// play tells the acts in order; each returns an error unless what it tells really happened.
func (d *demo) play(ctx context.Context) (demoResult, error) {
	if err := d.setStage(ctx); err != nil {
		return demoResult{}, err
	}
	defer d.project.Close()
	acts := []func(context.Context) error{d.addTask, d.handOver, d.validate, d.openGate, d.complete, d.lookBack}
	for _, act := range acts {
		if err := act(ctx); err != nil {
			return demoResult{}, err
		}
	}
	rows, err := d.rows(ctx)
	return demoResult{OK: true, Project: d.root, Attempts: rows}, err
}

func (d *demo) tell(format string, args ...any) { fmt.Fprintf(d.story, format+"\n", args...) }
