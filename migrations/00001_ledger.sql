-- +goose Up
-- The ledger, for projects without a CLEO store: its tables have CLEO's names and columns.
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

-- The unique index on (task_id, ordinal) is also the way to a task's criteria in their order.
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

-- The unique index begins with evidence_atom_id, but CLEO has an index of its own on it, and so do we.
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

CREATE INDEX bindings_by_ac ON evidence_ac_bindings (ac_id);
CREATE INDEX bindings_by_atom ON evidence_ac_bindings (evidence_atom_id);

PRAGMA user_version = 1;
