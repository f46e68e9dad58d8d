package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/project"
	"kandev/backend/task"
)

const taskColumns = `id, project, parent, title, provisional, description, step,
	external_id, seq, archived, created_at, updated_at`

// Tasks lists the tasks of a project in the order of their creation, archived
// ones too. With ErrRow the others are there.
func (db *DB) Tasks(ctx context.Context, of project.ID) (out []task.Task, err error) {
	err = db.read(ctx, "list tasks of "+string(of), func(tx *sql.Tx) (err error) {
		out, err = listTasks(ctx, tx, of)
		return err
	})
	return out, err
}

func scanTask(scan func(...any) error) (t task.Task, err error) {
	return t, scan(&t.ID, &t.Project, &t.Parent, &t.Title, &t.Provisional, &t.Description, &t.Step,
		&t.ExternalID, &t.Seq, &t.Archived, stampInto{&t.CreatedAt}, stampInto{&t.UpdatedAt})
}

func listTasks(ctx context.Context, tx *sql.Tx, of project.ID) ([]task.Task, error) {
	return list(ctx, tx, scanTask, `SELECT `+taskColumns+` FROM task WHERE project = ? ORDER BY seq, id`, of)
}

func upsertTask(ctx context.Context, tx *sql.Tx, t task.Task) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO task (`+taskColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET project = excluded.project, parent = excluded.parent,
			title = excluded.title, provisional = excluded.provisional,
			description = excluded.description, step = excluded.step,
			external_id = excluded.external_id, seq = excluded.seq, archived = excluded.archived,
			created_at = excluded.created_at, updated_at = excluded.updated_at`,
		t.ID, t.Project, t.Parent, t.Title, t.Provisional, t.Description, t.Step,
		t.ExternalID, t.Seq, t.Archived, stamp(t.CreatedAt), stamp(t.UpdatedAt))
	return err
}
