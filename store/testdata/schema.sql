CREATE UNIQUE INDEX attempts_one_pending ON validator_attempts (run_id) WHERE settled_at IS NULL;

CREATE INDEX bindings_by_ac ON evidence_ac_bindings (ac_id);

CREATE INDEX bindings_by_atom ON evidence_ac_bindings (evidence_atom_id);

CREATE TABLE evidence_ac_bindings (
    id               TEXT NOT NULL PRIMARY KEY,
    evidence_atom_id TEXT NOT NULL,
    ac_id            TEXT NOT NULL REFERENCES task_acceptance_criteria (id) ON DELETE CASCADE,
    binding_type     TEXT NOT NULL,
    created_at       TEXT NOT NULL,
    CONSTRAINT bindings_type_known CHECK (binding_type IN ('direct', 'satisfies', 'coverage')),
    CONSTRAINT bindings_created_at_is_date CHECK (created_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'),
    CONSTRAINT bindings_unique UNIQUE (evidence_atom_id, ac_id, binding_type)
) STRICT;

CREATE UNIQUE INDEX runs_one_open ON validator_runs (task_id) WHERE outcome IS NULL;

CREATE TABLE task_acceptance_criteria (
    id           TEXT NOT NULL PRIMARY KEY,
    task_id      TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    ordinal      INTEGER NOT NULL,
    text         TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    updated_at   TEXT,
    content_hash TEXT NOT NULL,
    CONSTRAINT criteria_ordinal_from_one CHECK (ordinal >= 1),
    CONSTRAINT criteria_text_not_blank CHECK (trim(text) <> ''),
    CONSTRAINT criteria_hash_is_sha256 CHECK (length(content_hash) = 64 AND content_hash NOT GLOB '*[^0-9a-f]*'),
    CONSTRAINT criteria_ordinal_unique UNIQUE (task_id, ordinal)
) STRICT;

CREATE TABLE tasks (
    id           TEXT NOT NULL PRIMARY KEY,
    title        TEXT NOT NULL,
    status       TEXT NOT NULL DEFAULT 'pending',
    created_at   TEXT NOT NULL,
    updated_at   TEXT,
    completed_at TEXT,
    CONSTRAINT tasks_id_well_formed CHECK (
        length(id) BETWEEN 1 AND 64 AND id GLOB '[A-Za-z]*' AND id NOT GLOB '*[^A-Za-z0-9_-]*'
    ),
    CONSTRAINT tasks_title_not_blank CHECK (trim(title) <> ''),
    CONSTRAINT tasks_status_known CHECK (
        status IN ('pending', 'active', 'blocked', 'done', 'cancelled', 'archived', 'proposed')
    ),
    CONSTRAINT tasks_done_has_time CHECK (status <> 'done' OR completed_at IS NOT NULL)
) STRICT;

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

CREATE TABLE validator_audit (
    run_id TEXT NOT NULL REFERENCES validator_runs (id),
    seq    INTEGER NOT NULL,
    entry  TEXT NOT NULL,
    PRIMARY KEY (run_id, seq),
    CONSTRAINT audit_entry_is_json CHECK (json_valid(entry))
) STRICT, WITHOUT ROWID;

CREATE TABLE validator_checks (
    task_id TEXT NOT NULL,
    ac_id   TEXT NOT NULL,
    spec    TEXT NOT NULL,
    PRIMARY KEY (task_id, ac_id),
    CONSTRAINT checks_spec_is_json CHECK (json_valid(spec))
) STRICT, WITHOUT ROWID;

CREATE TABLE validator_findings (
    seq          INTEGER NOT NULL REFERENCES validator_verdicts (seq) ON DELETE CASCADE,
    ac_id        TEXT NOT NULL,
    status       TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    PRIMARY KEY (seq, ac_id),
    CONSTRAINT findings_status_known CHECK (status IN ('pass', 'fail', 'inconclusive'))
) STRICT, WITHOUT ROWID;

CREATE TABLE validator_migrations (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);

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

CREATE TABLE validator_verdicts (
    seq          INTEGER PRIMARY KEY AUTOINCREMENT,
    digest       TEXT NOT NULL,
    task_id      TEXT NOT NULL,
    validator_id TEXT NOT NULL,
    verdict      TEXT NOT NULL,
    envelope     TEXT NOT NULL,
    commit_id    TEXT NOT NULL,
    tree_id      TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    recorded_at  TEXT NOT NULL,
    CONSTRAINT verdicts_digest_unique UNIQUE (digest),
    CONSTRAINT verdicts_kind_known CHECK (verdict IN ('attest', 'reject')),
    CONSTRAINT verdicts_envelope_is_json CHECK (json_valid(envelope))
) STRICT;

CREATE TABLE validator_workers (
    task_id     TEXT NOT NULL,
    agent_id    TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (task_id, agent_id),
    CONSTRAINT workers_agent_not_blank CHECK (trim(agent_id) <> '')
) STRICT, WITHOUT ROWID;

CREATE INDEX verdicts_by_kind ON validator_verdicts (task_id, verdict, seq);

CREATE INDEX verdicts_by_validator ON validator_verdicts (task_id, validator_id, seq);

