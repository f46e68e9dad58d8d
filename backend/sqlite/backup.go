package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// keptDays is on how many days the app must have started well before the
// backup goes.
const keptDays = 7

// definitionTables hold tool names or definitions: a backup has them empty,
// since it outlives the attempts they belong to.
var definitionTables = map[string]bool{"catalog": true, "tool_use": true}

// backup copies the database to <name>.backup-<version>, table by table, so
// that no definition is ever written to the copy. Only the newest is kept.
func (db *DB) backup(ctx context.Context, version int) error {
	path := db.path + ".backup-" + strconv.Itoa(version)
	unfinished := path + ".unfinished"
	if err := os.Remove(unfinished); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := copyTables(ctx, db.path, unfinished, version, db.options); err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	old, err := db.backups()
	if err != nil {
		return err
	}
	if err := os.Rename(unfinished, path); err != nil {
		return err
	}
	for _, name := range old {
		if name != path {
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// backups lists the backups of this database.
func (db *DB) backups() ([]string, error) {
	folder, base := filepath.Split(db.file())
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		version, ok := strings.CutPrefix(e.Name(), base+".backup-")
		if _, err := strconv.Atoi(version); ok && err == nil {
			names = append(names, filepath.Join(folder, e.Name()))
		}
	}
	return names, nil
}

// copyTables makes a database at to with the schema of the one at from, and
// the rows of every table without definitions. It has a rollback journal, is
// synced when it is committed, and needs no file beside it.
func copyTables(ctx context.Context, from, to string, version int, o Options) (err error) {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", dsn(to, o, true))
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(1) // ATTACH belongs to a connection
	defer func() { err = errors.Join(err, pool.Close()) }()
	if _, err := pool.ExecContext(ctx, "PRAGMA foreign_keys = 0; PRAGMA synchronous = FULL"); err != nil {
		return err
	}
	if _, err := pool.ExecContext(ctx, "ATTACH ? AS source", fileURI(from)); err != nil {
		return err
	}
	return inTx(ctx, pool, func(tx *sql.Tx) error {
		return copySchema(ctx, tx, version)
	})
}

func copySchema(ctx context.Context, tx *sql.Tx, version int) error {
	type object struct{ kind, name, sql string }
	objects, err := list(ctx, tx, func(scan func(...any) error) (o object, err error) {
		return o, scan(&o.kind, &o.name, &o.sql)
	}, `SELECT type, name, sql FROM source.sqlite_schema
		WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type <> 'table', rowid`)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if _, err := tx.ExecContext(ctx, o.sql); err != nil {
			return err
		}
		if o.kind != "table" || definitionTables[o.name] {
			continue
		}
		table := `"` + strings.ReplaceAll(o.name, `"`, `""`) + `"`
		if _, err := tx.ExecContext(ctx, "INSERT INTO main."+table+" SELECT * FROM source."+table); err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA main.application_id = %d; PRAGMA main.user_version = %d", applicationID, version))
	return err
}

// PruneBackup notes a good start on the day of now and removes the backup once
// there were good starts on seven days. Call it when the app is up.
func (db *DB) PruneBackup(ctx context.Context, now time.Time) error {
	if db.file() == "" {
		return nil
	}
	names, err := db.backups()
	if err != nil {
		return fmt.Errorf("look for a backup: %w", classify(err))
	}
	if len(names) == 0 {
		return nil
	}
	newest := filepath.Base(names[len(names)-1])
	var days int
	err = db.write(ctx, "count the days of a backup", func(tx *sql.Tx) error {
		today := now.UTC().Format(time.DateOnly)
		name, err := getMeta(ctx, tx, "backup_name")
		if err != nil {
			return err
		}
		last, err := getMeta(ctx, tx, "backup_last_day")
		if err != nil {
			return err
		}
		count, err := getMeta(ctx, tx, "backup_days")
		if err != nil {
			return err
		}
		if days, _ = strconv.Atoi(count); name != newest {
			days, last = 0, "" // another backup: its days start anew
		}
		if last == today {
			return nil
		}
		days++
		return errors.Join(setMeta(ctx, tx, "backup_name", newest),
			setMeta(ctx, tx, "backup_last_day", today), setMeta(ctx, tx, "backup_days", strconv.Itoa(days)))
	})
	if err != nil || days < keptDays {
		return err
	}
	for _, name := range names {
		err = errors.Join(err, os.Remove(name))
	}
	return classify(err)
}
