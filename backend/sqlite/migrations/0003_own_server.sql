-- The person's own MCP servers as JSON. Of headers and environment it holds
-- names only; the values are in the secret store.

CREATE TABLE own_server (
    id       TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    body     TEXT NOT NULL
) STRICT;
