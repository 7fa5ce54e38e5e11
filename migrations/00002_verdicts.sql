-- +goose Up
-- What we know beside the ledger. These tables name tasks and criteria without foreign keys, because the ledger may be
-- another program's file.
CREATE TABLE validator_workers (
    task_id     TEXT NOT NULL,
    agent_id    TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (task_id, agent_id),
    CONSTRAINT workers_agent_not_blank CHECK (trim(agent_id) <> '')
) STRICT, WITHOUT ROWID;

CREATE TABLE validator_checks (
    task_id TEXT NOT NULL,
    ac_id   TEXT NOT NULL,
    spec    TEXT NOT NULL,
    PRIMARY KEY (task_id, ac_id),
    CONSTRAINT checks_spec_is_json CHECK (json_valid(spec))
) STRICT, WITHOUT ROWID;

-- seq is the order of acceptance; AUTOINCREMENT, so that no number is given twice.
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

CREATE INDEX verdicts_by_validator ON validator_verdicts (task_id, validator_id, seq);
CREATE INDEX verdicts_by_kind ON validator_verdicts (task_id, verdict, seq);

-- content_hash is that of the text which the finding was made for, so that drift shows.
CREATE TABLE validator_findings (
    seq          INTEGER NOT NULL REFERENCES validator_verdicts (seq) ON DELETE CASCADE,
    ac_id        TEXT NOT NULL,
    status       TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    PRIMARY KEY (seq, ac_id),
    CONSTRAINT findings_status_known CHECK (status IN ('pass', 'fail', 'inconclusive'))
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 2;
