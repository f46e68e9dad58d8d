package sqlite

import (
	"context"
	"database/sql"

	"kandev/backend/question"
)

const questionColumns = `id, session, attempt, call_id, context, questions, state, reason,
	answers, asked_at, deadline, ended_at`

// OpenQuestions lists every bundle that can still be answered, oldest first.
// With ErrRow the others are there.
func (db *DB) OpenQuestions(ctx context.Context) (out []question.Bundle, err error) {
	err = db.read(ctx, "list open questions", func(tx *sql.Tx) (err error) {
		out, err = listOpenQuestions(ctx, tx)
		return err
	})
	return out, err
}

// Question returns one bundle, or question.ErrNotFound.
func (db *DB) Question(ctx context.Context, id string) (b question.Bundle, err error) {
	err = db.read(ctx, "read question "+id, func(tx *sql.Tx) (err error) {
		b, err = getQuestion(ctx, tx, id)
		return err
	})
	return b, err
}

func scanQuestion(scan func(...any) error) (b question.Bundle, err error) {
	return b, scan(&b.ID, &b.Session, &b.Attempt, &b.CallID, &b.Context, jsonInto{&b.Questions}, &b.State, &b.Reason,
		jsonInto{&b.Answers}, stampInto{&b.AskedAt}, stampInto{&b.Deadline}, stampOrNullInto{&b.EndedAt})
}

func listOpenQuestions(ctx context.Context, tx *sql.Tx) ([]question.Bundle, error) {
	return list(ctx, tx, scanQuestion, `SELECT `+questionColumns+` FROM question
		WHERE state IN ('open', 'detached') ORDER BY asked_at, id`)
}

func getQuestion(ctx context.Context, tx *sql.Tx, id string) (question.Bundle, error) {
	b, err := scanQuestion(tx.QueryRowContext(ctx, `SELECT `+questionColumns+` FROM question WHERE id = ?`, id).Scan)
	return b, noRows(err, question.ErrNotFound)
}

func upsertQuestion(ctx context.Context, tx *sql.Tx, b question.Bundle) error {
	questions, err := encode(b.Questions)
	if err != nil {
		return err
	}
	answers, err := encode(b.Answers)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO question (`+questionColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET session = excluded.session, attempt = excluded.attempt,
			call_id = excluded.call_id, context = excluded.context, questions = excluded.questions,
			state = excluded.state, reason = excluded.reason, answers = excluded.answers,
			asked_at = excluded.asked_at, deadline = excluded.deadline, ended_at = excluded.ended_at`,
		b.ID, b.Session, b.Attempt, b.CallID, b.Context, questions, b.State, b.Reason,
		answers, stamp(b.AskedAt), stamp(b.Deadline), stampOrNull(b.EndedAt))
	return err
}
