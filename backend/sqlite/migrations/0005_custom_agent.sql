-- The person's own agents as JSON: name, command line, how the bearer travels.
-- Of their environment it holds names only; the values are in the secret store.

CREATE TABLE custom_agent (
    id       TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    body     TEXT NOT NULL
) STRICT;
