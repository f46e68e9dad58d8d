package sqlite

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// journalLimit is what the WAL is cut back to when it starts anew, in bytes.
const journalLimit = 8 << 20

// dsn is the address of one connection. busy_timeout comes first: every later
// pragma may have to wait for a lock. journal_mode is not here, since a file
// that is not ours or newer must stay as it is; the writer switches to WAL
// after the file was looked at.
func dsn(path string, o Options, writer bool) string {
	pragmas := []string{
		fmt.Sprintf("busy_timeout(%d)", o.BusyTimeout/time.Millisecond),
		"foreign_keys(1)",
		fmt.Sprintf("journal_size_limit(%d)", journalLimit),
		"secure_delete(1)",
		"synchronous(NORMAL)",
	}
	query := url.Values{"_dqs": {"0"}, "_error_rc": {"1"}}
	if writer {
		query.Set("_txlock", "immediate")
	} else {
		pragmas = append(pragmas, "query_only(1)")
	}
	if o.maxPages > 0 {
		pragmas = append(pragmas, fmt.Sprintf("max_page_count(%d)", o.maxPages))
	}
	if o.vfs != "" {
		query.Set("vfs", o.vfs)
	}
	query["_pragma"] = pragmas
	return fileURI(path) + "?" + query.Encode()
}

// fileURI is the file: form of an absolute path; in it a question mark, a
// percent sign or a drive letter means what it means in the path.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
