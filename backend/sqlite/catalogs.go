package sqlite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"

	"kandev/backend/attach"
	"kandev/backend/catalog"
	"kandev/backend/session"
)

// storeCatalogs writes the catalog of each server of the current attempt when
// its bytes changed. An unchanged value is found by its pointer, an equal one
// by its digest.
func (w *attachmentWrite) storeCatalogs(ctx context.Context, tx *sql.Tx, current attach.Attempt) error {
	w.after = map[string]storedCatalog{}
	for _, s := range current.Servers {
		if s.Catalog == nil {
			deleted, err := deleteCatalog(ctx, tx, w.session, s.Name)
			if err != nil {
				return err
			}
			w.dropped = w.dropped || deleted
			continue
		}
		value := storedCatalog{current.ID, s.Catalog}
		w.after[s.Name] = value
		if w.before[s.Name] == value {
			continue
		}
		replaced, err := upsertCatalog(ctx, tx, w.session, s.Name, value)
		if err != nil {
			return err
		}
		w.dropped = w.dropped || replaced
	}
	return nil
}

// listCatalogs returns the catalogs of an attempt by server name.
func listCatalogs(ctx context.Context, tx *sql.Tx, of session.ID, attempt string) (map[string]*catalog.Catalog, error) {
	type row struct {
		server  string
		catalog catalog.Catalog
	}
	rows, err := list(ctx, tx, func(scan func(...any) error) (r row, err error) {
		return r, scan(&r.server, jsonInto{&r.catalog})
	}, `SELECT server, body FROM catalog WHERE session = ? AND attempt = ?`, of, attempt)
	out := make(map[string]*catalog.Catalog, len(rows))
	for _, r := range rows {
		out[r.server] = &r.catalog
	}
	return out, err
}

// upsertCatalog reports whether other definitions stood in the row.
func upsertCatalog(ctx context.Context, tx *sql.Tx, of session.ID, server string, value storedCatalog) (replaced bool, err error) {
	body, err := encode(value.catalog)
	if err != nil {
		return false, err
	}
	digest := sha256.Sum256([]byte(body))
	attempt, stored, err := getCatalogDigest(ctx, tx, of, server)
	if err != nil || attempt == value.attempt && bytes.Equal(stored, digest[:]) {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO catalog (session, server, attempt, sha256, body) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (session, server) DO UPDATE SET attempt = excluded.attempt,
			sha256 = excluded.sha256, body = excluded.body`,
		of, server, value.attempt, digest[:], body)
	return stored != nil, err
}

func getCatalogDigest(ctx context.Context, tx *sql.Tx, of session.ID, server string) (attempt string, digest []byte, err error) {
	err = tx.QueryRowContext(ctx, `SELECT attempt, sha256 FROM catalog WHERE session = ? AND server = ?`,
		of, server).Scan(&attempt, &digest)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil, nil
	}
	return attempt, digest, err
}

func deleteCatalog(ctx context.Context, tx *sql.Tx, of session.ID, server string) (deleted bool, err error) {
	result, err := tx.ExecContext(ctx, `DELETE FROM catalog WHERE session = ? AND server = ?`, of, server)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}
