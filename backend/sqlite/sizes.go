package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"kandev/backend/project"
)

// shrinkAt is how much of the file must be free before it is made smaller, in
// bytes: that writes all the rest of it anew.
const shrinkAt = 8 << 20

// shrinkMost is how much may be left to write anew, in bytes: it is in memory
// meanwhile, since a copy in the system's folder for such would lie outside of
// the data folder. Beyond it what is free waits for new rows.
const shrinkMost = 256 << 20

// Sizes says how many bytes of what is stored belong to each project: texts and
// bodies, without what SQLite keeps around them.
func (db *DB) Sizes(ctx context.Context) (map[project.ID]int64, error) {
	type row struct {
		id    project.ID
		bytes int64
	}
	var rows []row
	err := db.read(ctx, "measure projects", func(tx *sql.Tx) (err error) {
		rows, err = list(ctx, tx, func(scan func(...any) error) (r row, err error) {
			return r, scan(&r.id, &r.bytes)
		}, `SELECT s.project, sum(one.bytes) FROM session s JOIN (
				SELECT session, octet_length(text) + coalesce(octet_length(tool), 0) + coalesce(octet_length(plan), 0)
					+ coalesce(octet_length(raw), 0) AS bytes FROM transcript
				UNION ALL SELECT session, octet_length(body) FROM attempt
				UNION ALL SELECT session, octet_length(body) FROM catalog
				UNION ALL SELECT session, octet_length(context) + octet_length(questions) + octet_length(answers) FROM question
				UNION ALL SELECT session, octet_length(title) + octet_length(options) + coalesce(octet_length(input), 0) FROM permission
			) one ON one.session = s.id GROUP BY s.project
			UNION ALL SELECT project, sum(octet_length(title) + octet_length(description)) FROM task GROUP BY project`)
		return err
	})
	out := map[project.ID]int64{}
	for _, r := range rows {
		out[r.id] += r.bytes
	}
	return out, err
}

// Shrink gives the room of what was deleted back to the disk, where that is
// worth the work. Nobody else writes meanwhile; it ends with ctx.
func (db *DB) Shrink(ctx context.Context) error {
	select {
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return fmt.Errorf("shrink: %w", ctx.Err())
	}
	if db.file() == "" {
		return nil
	}
	var free, all, page int64
	row := db.writer.QueryRowContext(ctx, `SELECT (SELECT freelist_count FROM pragma_freelist_count),
		(SELECT page_count FROM pragma_page_count), (SELECT page_size FROM pragma_page_size)`)
	if err := row.Scan(&free, &all, &page); err != nil {
		return fmt.Errorf("shrink: %w", classify(err))
	}
	if free*page < shrinkAt || (all-free)*page > shrinkMost {
		return nil
	}
	for _, query := range []string{"PRAGMA temp_store = MEMORY", "VACUUM"} {
		if _, err := db.writer.ExecContext(ctx, query); err != nil {
			return fmt.Errorf("shrink: %w", classify(err))
		}
	}
	return nil
}
