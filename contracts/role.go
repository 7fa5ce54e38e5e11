package contracts

import "slices"

// AgentRole is the part an agent plays in the hierarchy. Roles are compared with regard to case.
type AgentRole string

// The four roles, from the top of the hierarchy down. A validator is a leaf, the peer of a worker.
const (
	RoleOrchestrator AgentRole = "orchestrator"
	RoleLead         AgentRole = "lead"
	RoleWorker       AgentRole = "worker"
	RoleValidator    AgentRole = "validator"
)

// AgentRoles lists every role, from the top of the hierarchy down.
func AgentRoles() []AgentRole {
	return []AgentRole{RoleOrchestrator, RoleLead, RoleWorker, RoleValidator}
}

// ParseAgentRole returns the role that s names exactly, or an [Error] with [CodeInvalidInput].
func ParseAgentRole(s string) (AgentRole, error) {
	if role := AgentRole(s); slices.Contains(AgentRoles(), role) {
		return role, nil
	}
	return "", Errorf(CodeInvalidInput, "unknown role %q", s).
		WithFix("use one of orchestrator, lead, worker, validator, in lower case")
}

// Caller says who invokes a tool.
type Caller struct {
	Role AgentRole `json:"role" jsonschema:"the role the caller acts in"`
	// Tier is 0 (orchestrator), 1 (lead) or 2 (leaf). Only spawn.validator reads it.
	Tier int `json:"tier,omitzero" jsonschema:"0, 1 or 2; only spawn.validator reads it"`
	// AgentID names the agent instance; independence from the Worker is checked on it. Empty when unknown.
	AgentID string `json:"agentId,omitzero" jsonschema:"the agent instance; independence is checked on it"`
}
