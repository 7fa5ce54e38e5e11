package main

import (
	"context"
	"errors"
	"time"

	"github.com/cleocode/cleo-validator/audit"
	"github.com/cleocode/cleo-validator/contracts"
	"github.com/cleocode/cleo-validator/runtime"
	"github.com/cleocode/cleo-validator/spawn"
)

// spawner wires what starts Validators.
func (p *project) spawner(opts runOptions) (*spawn.Spawner, error) {
	self, err := p.host.self()
	if err != nil {
		return nil, err
	}
	agent, err := spawn.FindAgent(opts.agent, opts.agentCommand)
	if err != nil {
		return nil, err
	}
	return spawn.New(p.store, p.tools(nil), spawn.Options{
		ProjectRoot:  p.root,
		Self:         []string{self, builtinCommand},
		Environ:      p.host.environ,
		PassEnv:      opts.passEnv,
		Agent:        agent,
		Rev:          opts.commit,
		IncludeDirty: opts.includeDirty,
		NoWorktree:   opts.noWorktree,
		Keep:         opts.keep,
		Timeout:      time.Duration(opts.timeout),
		Now:          p.host.now,
		NewID:        p.host.newID,
		Warn:         func(message string) { p.host.warn("%s", message) },
	})
}

// crew wires who does the work of a run: the spawner, and the Worker when a command for it is configured.
func (p *project) crew(spawner *spawn.Spawner, opts runOptions) (runtime.Crew, error) {
	crew := runtime.Crew{Spawner: spawner}
	if opts.worker == "" {
		return crew, nil
	}
	worker, err := spawn.NewWorker(opts.worker, spawn.WorkerOptions{
		ProjectRoot:  p.root,
		Rev:          opts.commit,
		IncludeDirty: opts.includeDirty,
		Environ:      p.host.environ,
	})
	crew.Worker = worker
	return crew, err
}

func (p *project) runtimeOptions(opts runOptions, observe func(runtime.Event)) runtime.Options {
	return runtime.Options{
		RetryMax:   opts.retryMax,
		LoopBudget: time.Duration(opts.budget),
		NoProgress: true,
		NewID:      p.host.newID,
		Journal:    p.store,
		Audit:      p.audit,
		OnEvent:    observe,
	}
}

// readRetries collects the rows of the retry log that the filter chooses; lines that are no rows are passed over.
func readRetries(ctx context.Context, log *audit.Log, filter audit.Filter) ([]contracts.RetryEntry, error) {
	rows := []contracts.RetryEntry{}
	for row, err := range log.Retries(ctx, filter) {
		if _, malformed := errors.AsType[*audit.MalformedLine](err); malformed {
			continue
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}
