-- The first schema. Times are UTC text of one fixed width, '' = the zero time.
-- Rows hang on their session and go with it; rows of definitions (catalog,
-- tool_use) hang on the attempt they were served in.

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    id   INTEGER PRIMARY KEY CHECK (id = 1),
    body TEXT NOT NULL
) STRICT;

CREATE TABLE project (
    id      TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    path    TEXT NOT NULL UNIQUE,
    agent   TEXT NOT NULL,
    used_at TEXT NOT NULL,
    sample  INTEGER NOT NULL
) STRICT;

CREATE TABLE task (
    id          TEXT PRIMARY KEY,
    project     TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    parent      TEXT NOT NULL,
    title       TEXT NOT NULL,
    provisional INTEGER NOT NULL,
    description TEXT NOT NULL,
    step        TEXT NOT NULL,
    external_id TEXT NOT NULL,
    seq         INTEGER NOT NULL,
    archived    INTEGER NOT NULL,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
) STRICT;
CREATE INDEX task_by_project ON task (project, seq);
CREATE UNIQUE INDEX task_external ON task (project, external_id) WHERE external_id <> '';

CREATE TABLE session (
    id          TEXT PRIMARY KEY,
    project     TEXT NOT NULL REFERENCES project (id) ON DELETE CASCADE,
    task        TEXT NOT NULL REFERENCES task (id) ON DELETE CASCADE,
    agent       TEXT NOT NULL,
    executor    TEXT NOT NULL,
    state       TEXT NOT NULL,
    reason      TEXT NOT NULL,
    execution   TEXT NOT NULL,
    agent_name  TEXT NOT NULL,
    archived    INTEGER NOT NULL,
    seq         INTEGER NOT NULL,
    revision    INTEGER NOT NULL,
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL,
    catalog_rev INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX session_by_project ON session (project);
CREATE INDEX session_by_task ON session (task);

CREATE TABLE transcript (
    session    TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    ref        TEXT NOT NULL,
    tool       TEXT,
    plan       TEXT,
    raw        BLOB,
    cut        INTEGER NOT NULL,
    at         TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (session, number)
) STRICT;
CREATE INDEX transcript_by_revision ON transcript (session, revision);

-- One attempt: its servers and evidence as JSON, without definitions.
CREATE TABLE attempt (
    session  TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    id       TEXT NOT NULL,
    position INTEGER NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (session, id)
) STRICT;

-- The definitions last served in the current attempt; never without it.
CREATE TABLE catalog (
    session TEXT NOT NULL,
    server  TEXT NOT NULL,
    attempt TEXT NOT NULL,
    sha256  BLOB NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (session, server),
    FOREIGN KEY (session, attempt) REFERENCES attempt (session, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX catalog_by_attempt ON catalog (session, attempt);

-- Calls by canonical tool name in the current attempt.
CREATE TABLE tool_use (
    session  TEXT NOT NULL,
    attempt  TEXT NOT NULL,
    position INTEGER NOT NULL,
    tool     TEXT NOT NULL,
    calls    INTEGER NOT NULL,
    errors   INTEGER NOT NULL,
    last     TEXT NOT NULL,
    PRIMARY KEY (session, attempt, position),
    FOREIGN KEY (session, attempt) REFERENCES attempt (session, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE question (
    id        TEXT PRIMARY KEY,
    session   TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    attempt   TEXT NOT NULL,
    call_id   TEXT NOT NULL,
    context   TEXT NOT NULL,
    questions TEXT NOT NULL,
    state     TEXT NOT NULL,
    reason    TEXT NOT NULL,
    answers   TEXT NOT NULL,
    asked_at  TEXT NOT NULL,
    deadline  TEXT NOT NULL,
    ended_at  TEXT
) STRICT;
CREATE INDEX question_by_session ON question (session);
CREATE INDEX question_open ON question (state) WHERE state IN ('open', 'detached');

CREATE TABLE permission (
    id       TEXT PRIMARY KEY,
    session  TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    call_id  TEXT NOT NULL,
    title    TEXT NOT NULL,
    kind     TEXT NOT NULL,
    input    BLOB,
    options  TEXT NOT NULL,
    state    TEXT NOT NULL,
    chosen   TEXT NOT NULL,
    reason   TEXT NOT NULL,
    by_rule  INTEGER NOT NULL,
    asked_at TEXT NOT NULL,
    ended_at TEXT
) STRICT;
CREATE INDEX permission_by_session ON permission (session);
CREATE INDEX permission_open ON permission (state) WHERE state = 'open';
