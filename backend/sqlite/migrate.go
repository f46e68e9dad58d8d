package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
)

// applicationID marks a file as ours ("kndv"), so that a database of another
// program that happens to stand at our path is not written to.
const applicationID = 0x6b6e6476

//go:embed migrations/*.sql
var migrationFiles embed.FS

func embedded() fs.FS { return migrationFiles }

// scripts are the migrations in order; the first brings version 0 to 1.
func (db *DB) scripts() ([]string, error) {
	names, err := fs.Glob(db.options.migrations, "migrations/*.sql") // sorted by name
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		var number int
		if _, err := fmt.Sscanf(name, "migrations/%04d_", &number); err != nil || number != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", name, i+1)
		}
	}
	return names, nil
}

// inspect reads the schema version of the file and refuses files that are
// damaged, newer or another program's, before anything was written.
func (db *DB) inspect(ctx context.Context) (version int, err error) {
	names, err := db.scripts()
	if err != nil {
		return 0, err
	}
	var objects, application int
	row := db.writer.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM sqlite_schema),
		(SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id)`)
	if err := row.Scan(&objects, &version, &application); err != nil {
		return 0, err
	}
	switch {
	case objects == 0 && version == 0:
		return 0, nil
	case application != applicationID:
		return 0, fmt.Errorf("%w: it belongs to another program", ErrNotDatabase)
	case version > len(names):
		return 0, &NewerError{Found: version, Known: len(names)}
	}
	return version, nil
}

// migrate runs what is missing since version, all in one transaction.
func (db *DB) migrate(ctx context.Context, version int) error {
	names, err := db.scripts()
	if err != nil || version == len(names) {
		return err
	}
	if version > 0 {
		if err := db.backup(ctx, version); err != nil {
			return fmt.Errorf("back up before a migration: %w", err)
		}
	}
	return inTx(ctx, db.writer, func(tx *sql.Tx) error {
		for i, name := range names[version:] {
			script, err := fs.ReadFile(db.options.migrations, name)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, string(script)); err != nil {
				return fmt.Errorf("migration %d: %w", version+i+1, err)
			}
		}
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(names)))
		return err
	})
}
