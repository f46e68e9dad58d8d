package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/project"
)

// Projects lists every project, last used first. With ErrRow the others are
// there.
func (db *DB) Projects(ctx context.Context) (out []project.Project, err error) {
	err = db.read(ctx, "list projects", func(tx *sql.Tx) (err error) {
		out, err = listProjects(ctx, tx)
		return err
	})
	return out, err
}

// DeleteProject removes a project with its tasks, its sessions and all that
// hangs on them. Checkpoint afterwards.
func (db *DB) DeleteProject(ctx context.Context, id project.ID) error {
	return db.write(ctx, "delete project "+string(id), func(tx *sql.Tx) error {
		return deleteProject(ctx, tx, id)
	})
}

func listProjects(ctx context.Context, tx *sql.Tx) ([]project.Project, error) {
	return list(ctx, tx, func(scan func(...any) error) (p project.Project, err error) {
		return p, scan(&p.ID, &p.Name, &p.Path, &p.Agent, stampInto{&p.UsedAt}, &p.Sample)
	}, `SELECT id, name, path, agent, used_at, sample FROM project ORDER BY used_at DESC, id`)
}

func upsertProject(ctx context.Context, tx *sql.Tx, p project.Project) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO project (id, name, path, agent, used_at, sample)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, path = excluded.path,
			agent = excluded.agent, used_at = excluded.used_at, sample = excluded.sample`,
		p.ID, p.Name, p.Path, p.Agent, stamp(p.UsedAt), p.Sample)
	return err
}

func deleteProject(ctx context.Context, tx *sql.Tx, id project.ID) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM project WHERE id = ?`, id)
	return err
}
