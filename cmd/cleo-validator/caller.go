package main

import (
	"github.com/spf13/cobra"

	"github.com/cleocode/cleo-validator/contracts"
)

// callerFlags say who calls a tool. There are no defaults: a role that nobody claimed is no role.
type callerFlags struct {
	role    string
	tier    int
	agentID string
}

func (f *callerFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.role, "role", "", "the caller's role: orchestrator, lead, worker or validator")
	cmd.Flags().IntVar(&f.tier, "tier", 0, "the caller's tier: 0, 1 or 2")
	cmd.Flags().StringVar(&f.agentID, "agent-id", "", "the caller's agent instance; independence is checked on it")
}

// caller returns the caller as the tools want it. No role is left to the tool to refuse; a word that is none is bad input.
func (f *callerFlags) caller() (contracts.Caller, error) {
	caller := contracts.Caller{Tier: f.tier, AgentID: f.agentID}
	if f.role == "" {
		return caller, nil
	}
	role, err := contracts.ParseAgentRole(f.role)
	caller.Role = role
	return caller, err
}
