package contracts

// Code names one way in which an operation is refused. The list is closed; [Codes] enumerates it.
type Code string

// The codes of the tools and the gate.
const (
	// CodeAuthRole: attest or reject was called in another role than validator.
	CodeAuthRole Code = "E_VALIDATOR_AUTH_ROLE"
	// CodeAttestationInvalid: the envelope breaks a rule of an attestation, or leaves a criterion of the task out.
	CodeAttestationInvalid Code = "E_VALIDATOR_ATTESTATION_INVALID"
	// CodeRejectionInvalid: the envelope breaks a rule of a rejection.
	CodeRejectionInvalid Code = "E_VALIDATOR_REJECTION_INVALID"
	// CodeACNotFound: a finding names a criterion that the task does not have.
	CodeACNotFound Code = "E_VALIDATOR_AC_NOT_FOUND"
	// CodeNotIndependent: the caller is recorded as a Worker of the task.
	CodeNotIndependent Code = "E_VALIDATOR_NOT_INDEPENDENT"
	// CodeTokenInvalid: the spawn token is absent, unknown, expired or bound to another task or Validator.
	CodeTokenInvalid Code = "E_VALIDATOR_TOKEN_INVALID"
	// CodeVerdictClosed: the spawn already shipped a different verdict.
	CodeVerdictClosed Code = "E_VALIDATOR_VERDICT_CLOSED"
	// CodeSpawnAuthRole: spawn.validator was called in another role than orchestrator.
	CodeSpawnAuthRole Code = "E_VALIDATOR_SPAWN_AUTH_ROLE"
	// CodeSpawnAuthTier: spawn.validator was called below tier 1.
	CodeSpawnAuthTier Code = "E_VALIDATOR_SPAWN_AUTH_TIER"
	// CodeInvalidInput: an argument, a flag, a file or a line of input is not of its form.
	CodeInvalidInput Code = "E_INVALID_INPUT"
	// CodeTaskNotFound: the ledger has no task of that id.
	CodeTaskNotFound Code = "E_TASK_NOT_FOUND"
	// CodeCoverageIncomplete: the gate found a criterion without a binding that counts.
	CodeCoverageIncomplete Code = "E_AC_COVERAGE_INCOMPLETE"
	// CodeCoverageStale: every uncovered criterion has a binding, but one that no longer counts.
	CodeCoverageStale Code = "E_AC_COVERAGE_STALE"
)

// The escalation codes of the fault catalogue, one per [FaultKind].
const (
	// CodeNoACs: the task has no acceptance criteria to judge.
	CodeNoACs Code = "E_VALIDATOR_NO_ACS"
	// CodePartial: the Validator ended without a usable verdict.
	CodePartial Code = "E_VALIDATOR_PARTIAL"
	// CodeUnreachable: the Validator could not reach a service it depends on.
	CodeUnreachable Code = "E_VALIDATOR_UNREACHABLE"
	// CodeToolNotResolved: a program that the validation needs is not there.
	CodeToolNotResolved Code = "E_TOOL_NOT_RESOLVED"
	// CodeTimeout: the Validator passed its deadline.
	CodeTimeout Code = "E_VALIDATOR_TIMEOUT"
	// CodeVerdictDropped: a verdict was shipped but never received.
	CodeVerdictDropped Code = "E_VALIDATOR_VERDICT_DROPPED"
	// CodeOOM: the Validator ran out of memory.
	CodeOOM Code = "E_VALIDATOR_OOM"
)

// The codes of the program around the tools.
const (
	// CodeTaskExists: a task of that id is already there.
	CodeTaskExists Code = "E_TASK_EXISTS"
	// CodeVerdictInvalid: the bytes are neither an attestation nor a rejection.
	CodeVerdictInvalid Code = "E_VALIDATOR_VERDICT_INVALID"
	// CodeOverrideForbidden: an owner override was asked for in the role of a validator or a worker.
	CodeOverrideForbidden Code = "E_OWNER_OVERRIDE_FORBIDDEN"
	// CodeStoreInvalid: the database file is not one of ours, is damaged, or was written by a newer program.
	CodeStoreInvalid Code = "E_STORE_INVALID"
	// CodeStoreUnavailable: the database cannot be opened, read or written now.
	CodeStoreUnavailable Code = "E_STORE_UNAVAILABLE"
	// CodeAuditUnavailable: an audit line that must precede an act cannot be written.
	CodeAuditUnavailable Code = "E_AUDIT_UNAVAILABLE"
	// CodeNotARepository: the project is not a git repository, or has no commit.
	CodeNotARepository Code = "E_NOT_A_REPOSITORY"
	// CodeGitFailed: a git command that the validation needs failed.
	CodeGitFailed Code = "E_GIT_FAILED"
	// CodeUncommitted: the project has changes that no commit holds, so that there is no candidate to judge.
	CodeUncommitted Code = "E_UNCOMMITTED_CHANGES"
	// CodeRunBusy: another process drives a run of the same task.
	CodeRunBusy Code = "E_RUN_BUSY"
	// CodeConfigInvalid: a configuration file has an unknown key or a value that is not of its form.
	CodeConfigInvalid Code = "E_CONFIG_INVALID"
	// CodeSpawnFailed: a Validator's worktree, files or process could not be prepared.
	CodeSpawnFailed Code = "E_SPAWN_FAILED"
	// CodeWorkerFailed: the Worker command could not be started, failed, or left no candidate behind.
	CodeWorkerFailed Code = "E_WORKER_FAILED"
	// CodeUnknownName: no such command, agent, schema or evidence kind.
	CodeUnknownName Code = "E_UNKNOWN_NAME"
	// CodeInterrupted: the caller cancelled the operation.
	CodeInterrupted Code = "E_INTERRUPTED"
	// CodeInternal: an error that carries no code of its own; a defect of this program.
	CodeInternal Code = "E_INTERNAL"
)

// Codes lists every code, in the order of their declaration.
func Codes() []Code {
	return []Code{
		CodeAuthRole, CodeAttestationInvalid, CodeRejectionInvalid, CodeACNotFound, CodeNotIndependent,
		CodeTokenInvalid, CodeVerdictClosed, CodeSpawnAuthRole, CodeSpawnAuthTier, CodeInvalidInput,
		CodeTaskNotFound, CodeCoverageIncomplete, CodeCoverageStale,
		CodeNoACs, CodePartial, CodeUnreachable, CodeToolNotResolved, CodeTimeout, CodeVerdictDropped, CodeOOM,
		CodeTaskExists, CodeVerdictInvalid, CodeOverrideForbidden, CodeStoreInvalid, CodeStoreUnavailable,
		CodeAuditUnavailable, CodeNotARepository, CodeGitFailed, CodeUncommitted, CodeRunBusy, CodeConfigInvalid,
		CodeSpawnFailed, CodeWorkerFailed, CodeUnknownName, CodeInterrupted, CodeInternal,
	}
}
