-- Installed plugins as JSON: manifest, grant, state and values that are no
-- secret. Of secrets it holds names only; the values are in the secret store,
-- and the module is a file in the data folder.

CREATE TABLE plugin (
    id       TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    body     TEXT NOT NULL
) STRICT;
