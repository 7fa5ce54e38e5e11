package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

// runOptions are the flags of run, after the settings filled in what was not said.
type runOptions struct {
	agent        string
	agentCommand string
	worker       string
	workerID     string
	retryMax     int
	timeout      duration
	budget       duration
	parallel     int
	commit       string
	passEnv      []string
	fresh        bool
	keep         bool
	includeDirty bool
	noWorktree   bool
}

func (o *runOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.agent, "agent", "", "the Validator: builtin or command (see cleo-validator agents)")
	f.StringVar(&o.agentCommand, "agent-cmd", "", "argv template of the agent \"command\": {prompt_file}, {worktree}, {task}, {model}")
	f.StringVar(&o.worker, "worker", "", "argv template of the command that mends a rejected candidate: {rejection_file}, {prompt_file}, {task}")
	f.StringVar(&o.workerID, "worker-id", "", "the agent instance that made the candidate; it can never judge it")
	f.IntVar(&o.retryMax, "retry-max", 0, "the retry budget that rejections and faults share (default 3)")
	f.Var(&o.timeout, "timeout", "how long one attempt may take (default 5m)")
	f.Var(&o.budget, "budget", "how long the whole run may take (default 30m)")
	f.IntVar(&o.parallel, "parallel", 0, "how many tasks are validated side by side (default 2)")
	f.StringVar(&o.commit, "commit", "", "the candidate, a git revision (default HEAD)")
	f.StringSliceVar(&o.passEnv, "pass-env", nil, "a variable that the Validator gets beyond the allow-list")
	f.BoolVar(&o.fresh, "fresh", false, "give an unfinished run up and start over with a new budget; audited")
	f.BoolVar(&o.keep, "keep", false, "keep the worktrees")
	f.BoolVar(&o.includeDirty, "include-dirty", false, "validate a snapshot of the uncommitted state")
	f.BoolVar(&o.noWorktree, "no-worktree", false, "validate in the project itself; needs no git")
}

// fillIn takes from the settings what no flag said.
func (o *runOptions) fillIn(cmd *cobra.Command, s settings) {
	said := cmd.Flags().Changed
	if !said("agent") {
		o.agent = s.Agent
	}
	if !said("agent-cmd") {
		o.agentCommand = s.AgentCommand
	}
	if !said("worker") {
		o.worker = s.Worker
	}
	if !said("retry-max") {
		o.retryMax = s.ValidatorRetryMax
	}
	if !said("timeout") {
		o.timeout = s.Timeout
	}
	if !said("budget") {
		o.budget = s.Budget
	}
	if !said("parallel") {
		o.parallel = s.Parallel
	}
	o.passEnv = append(o.passEnv, s.PassEnv...)
}

func (o *runOptions) check() error {
	switch {
	case o.retryMax < 1:
		return contracts.Errorf(contracts.CodeInvalidInput, "--retry-max must be at least 1, not %d", o.retryMax)
	case o.timeout <= 0:
		return contracts.Errorf(contracts.CodeInvalidInput, "--timeout must be longer than nothing, not %s", &o.timeout)
	case o.budget <= 0:
		return contracts.Errorf(contracts.CodeInvalidInput, "--budget must be longer than nothing, not %s", &o.budget)
	case o.parallel < 1:
		return contracts.Errorf(contracts.CodeInvalidInput, "--parallel must be at least 1, not %d", o.parallel)
	}
	return nil
}
