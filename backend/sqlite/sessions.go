package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/session"
)

// sessionColumns are those of the noun; catalog_rev belongs to the attachment.
const sessionColumns = `id, project, task, agent, executor, state, reason, execution,
	agent_name, archived, seq, revision, created_at, updated_at, agent_session`

// Sessions lists every session as it was stored, archived ones too, in the
// order of their creation. With ErrRow the others are there.
func (db *DB) Sessions(ctx context.Context) (out []session.Session, err error) {
	err = db.read(ctx, "list sessions", func(tx *sql.Tx) (err error) {
		out, err = listSessions(ctx, tx)
		return err
	})
	return out, err
}

// DeleteSession removes a session with its transcript, attachment, questions
// and permissions. Deleting what is not there is no error. Checkpoint
// afterwards: then no byte of it is left.
func (db *DB) DeleteSession(ctx context.Context, id session.ID) error {
	return db.write(ctx, "delete session "+string(id), func(tx *sql.Tx) error {
		return deleteSession(ctx, tx, id)
	}, func() { delete(db.stored, id) })
}

func listSessions(ctx context.Context, tx *sql.Tx) ([]session.Session, error) {
	return list(ctx, tx, func(scan func(...any) error) (s session.Session, err error) {
		return s, scan(&s.ID, &s.Project, &s.Task, &s.Agent, &s.Executor, &s.State, &s.Reason, &s.Execution,
			&s.AgentName, &s.Archived, &s.Seq, &s.Revision, stampInto{&s.CreatedAt}, stampInto{&s.UpdatedAt}, &s.AgentSession)
	}, `SELECT `+sessionColumns+` FROM session ORDER BY seq, id`)
}

func upsertSession(ctx context.Context, tx *sql.Tx, s session.Session) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO session (`+sessionColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET project = excluded.project, task = excluded.task,
			agent = excluded.agent, executor = excluded.executor, state = excluded.state,
			reason = excluded.reason, execution = excluded.execution,
			agent_name = excluded.agent_name, archived = excluded.archived, seq = excluded.seq,
			revision = excluded.revision, created_at = excluded.created_at,
			updated_at = excluded.updated_at, agent_session = excluded.agent_session`,
		s.ID, s.Project, s.Task, s.Agent, s.Executor, s.State, s.Reason, s.Execution,
		s.AgentName, s.Archived, s.Seq, s.Revision, stamp(s.CreatedAt), stamp(s.UpdatedAt), s.AgentSession)
	return err
}

// deleteSession: everything else goes by ON DELETE CASCADE.
func deleteSession(ctx context.Context, tx *sql.Tx, id session.ID) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM session WHERE id = ?`, id)
	return err
}
