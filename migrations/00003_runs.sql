-- +goose Up
CREATE TABLE validator_runs (
    id         TEXT NOT NULL PRIMARY KEY,
    task_id    TEXT NOT NULL,
    retry_max  INTEGER NOT NULL,
    state      TEXT NOT NULL,
    active_ms  INTEGER NOT NULL DEFAULT 0,
    started_at TEXT NOT NULL,
    decided_at TEXT,
    ended_at   TEXT,
    outcome    TEXT,
    CONSTRAINT runs_retry_max_from_one CHECK (retry_max >= 1),
    CONSTRAINT runs_state_is_json CHECK (json_valid(state)),
    CONSTRAINT runs_active_not_negative CHECK (active_ms >= 0),
    CONSTRAINT runs_ended_with_outcome CHECK ((outcome IS NULL) = (ended_at IS NULL)),
    CONSTRAINT runs_budget UNIQUE (id, retry_max)
) STRICT;

-- A task has one unfinished run at most.
CREATE UNIQUE INDEX runs_one_open ON validator_runs (task_id) WHERE outcome IS NULL;

-- A slot of the budget: reserved before a Validator starts, settled by a decision. retry_max is the run's own, held equal
-- by the foreign key, so that the schema alone makes over-spending impossible: numbers are unique and within the budget.
CREATE TABLE validator_attempts (
    run_id         TEXT NOT NULL,
    attempt_number INTEGER NOT NULL,
    retry_max      INTEGER NOT NULL,
    validator_id   TEXT NOT NULL,
    reserved_at    TEXT NOT NULL,
    settled_at     TEXT,
    PRIMARY KEY (run_id, attempt_number),
    CONSTRAINT attempts_within_budget CHECK (attempt_number BETWEEN 1 AND retry_max),
    CONSTRAINT attempts_budget_of_run FOREIGN KEY (run_id, retry_max) REFERENCES validator_runs (id, retry_max)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX attempts_one_pending ON validator_attempts (run_id) WHERE settled_at IS NULL;

-- The audit rows, in the order of the decisions; the JSONL file is the operators' copy.
CREATE TABLE validator_audit (
    run_id TEXT NOT NULL REFERENCES validator_runs (id),
    seq    INTEGER NOT NULL,
    entry  TEXT NOT NULL,
    PRIMARY KEY (run_id, seq),
    CONSTRAINT audit_entry_is_json CHECK (json_valid(entry))
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 3;
