package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
	"github.com/cleocode/cleo-validator/spawn"
)

func newRun(h host, flags *globalFlags) *cobra.Command {
	var opts runOptions
	cmd := &cobra.Command{
		Use:   "run TASK…",
		Short: "Validate tasks: spawn, judge, retry within one budget",
		Long: `Drive the loop of Lead, Worker and Validator for each task until a Validator attests
it, or the budget is spent. Exit 0 when every task is attested, 20 when one was
escalated to a human, 21 when one met a permanent fault. A run that was killed goes
on where it was, with the budget it had left.`,
		Example: `  cleo-validator run T1 --agent builtin
  cleo-validator run T1 T2 T3 --parallel 2 --worker "my-worker --fix {rejection_file}"
  cleo-validator run T1 --agent command --agent-cmd "my-agent --prompt {prompt_file}"`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, tasks []string) error {
			return withProject(cmd.Context(), h, flags, func(p *project) error {
				opts.fillIn(cmd, p.settings)
				if err := opts.check(); err != nil {
					return err
				}
				return p.runTasks(cmd.Context(), tasks, opts, flags.json)
			})
		},
	}
	opts.register(cmd)
	return cmd
}

// runTasks checks everything that can be checked before the first process starts, drives the runs, and prints how they ended.
func (p *project) runTasks(ctx context.Context, tasks []string, opts runOptions, asJSON bool) error {
	spawner, err := p.spawner(opts)
	if err != nil {
		return err
	}
	crew, err := p.crew(spawner, opts)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		if err := p.prepareTask(ctx, spawner, task, opts); err != nil {
			return err
		}
	}
	unlock, err := p.lockTasks(tasks)
	if err != nil {
		return err
	}
	defer unlock()
	if opts.fresh {
		if err := p.abandonRuns(ctx, tasks); err != nil {
			return err
		}
	}
	progress := newProgress(p.host, tasks)
	results := runtime.RunMany(ctx, tasks, opts.parallel, crew, p.runtimeOptions(opts, progress.Observe))
	progress.Stop()
	return p.reportRuns(results, asJSON)
}

// prepareTask records the Worker and makes sure that the task can be validated at all.
func (p *project) prepareTask(ctx context.Context, spawner *spawn.Spawner, task string, opts runOptions) error {
	if err := contracts.CheckTaskID(task); err != nil {
		return err
	}
	if err := spawner.Preflight(ctx, task); err != nil {
		return err
	}
	if opts.workerID == "" {
		return nil
	}
	return p.store.RecordWorker(ctx, task, opts.workerID)
}

// lockTasks makes this process the only one that drives these tasks; the locks go with the process.
func (p *project) lockTasks(tasks []string) (unlock func(), err error) {
	var held []func() error
	unlock = func() {
		for _, release := range held {
			if err := release(); err != nil {
				p.host.warn("releasing a run lock: %v", err)
			}
		}
	}
	for _, task := range tasks {
		release, err := p.store.LockRun(task)
		if err != nil {
			unlock()
			return nil, err
		}
		held = append(held, release)
	}
	return unlock, nil
}

// abandonRuns gives unfinished runs up, after a line in the override log says that a new budget was handed out.
func (p *project) abandonRuns(ctx context.Context, tasks []string) error {
	for _, task := range tasks {
		err := p.audit.AppendOverride(ctx, audit.Override{
			Kind:        audit.OverrideFreshRun,
			Timestamp:   p.host.now().UTC().Format(time.RFC3339),
			TaskID:      task,
			Reason:      "run --fresh",
			Actor:       actor(p.host),
			Unsatisfied: []contracts.UncoveredAC{},
		})
		if err != nil {
			return err
		}
		if _, _, err := p.store.AbandonRun(ctx, task); err != nil {
			return err
		}
	}
	return nil
}
