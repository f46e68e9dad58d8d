package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kandev/backend/sqlite"
	"kandev/backend/tokens"
)

// PluginsOptions open the plugins of a data folder without the app.
type PluginsOptions struct {
	Home     string // the data folder
	Version  string // of this program
	Keychain bool   // as in Options
	Now      func() time.Time
}

// OpenPlugins takes the data folder, as the app does, and opens its plugins for
// changes from a command line. Nothing of a plugin runs but what InspectPlugin
// says. A HeldError says that the app, or another command, has the folder. A
// database that cannot be opened is an error: nothing is set aside here.
func OpenPlugins(ctx context.Context, o PluginsOptions) (*PluginStore, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	for _, dir := range []string{o.Home, filepath.Join(o.Home, "logs")} {
		if err := os.MkdirAll(dir, 0o700); err != nil && dir == o.Home {
			return nil, &FolderError{Folder: o.Home, Err: err}
		}
	}
	release, err := lockFolder(o.Home)
	if err != nil {
		return nil, err
	}
	db, err := sqlite.Open(ctx, filepath.Join(o.Home, sqlite.FileName), sqlite.Options{})
	if err != nil {
		release()
		return nil, fmt.Errorf("%s (%w)", storeSentence(err), err)
	}
	rows, err := db.Plugins(ctx)
	if err != nil && !errors.Is(err, sqlite.ErrRow) {
		err = errors.Join(err, db.Close(ctx))
		release()
		return nil, err
	}
	log, closeLog := openLog(filepath.Join(o.Home, "logs"), nil)
	secrets := openVault(o.Home, o.Keychain, log)
	s := newPluginStore(pluginOptions{
		home: o.Home, version: o.Version, db: db, secrets: secrets, log: log, now: o.Now,
		estimate: tokens.Estimate, sweep: err == nil,
	}, rows)
	s.close = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
		defer cancel()
		err := db.Close(ctx)
		secrets.Close()
		closeLog()
		release()
		return err
	}
	return s, nil
}

// Close ends what OpenPlugins opened. The store inside a Backend is closed by it.
func (s *PluginStore) Close() error {
	s.shut()
	if s.close == nil {
		return nil
	}
	return s.close()
}

// ListPlugins reads the installed plugins of a data folder, also while the app
// runs, and changes nothing. Runs are not known to it.
func ListPlugins(ctx context.Context, home string) ([]Plugin, error) {
	rows, err := sqlite.ReadPlugins(ctx, filepath.Join(home, sqlite.FileName))
	out := make([]Plugin, 0, len(rows))
	for _, row := range rows {
		tools, total := PluginTools(row.Manifest)
		out = append(out, Plugin{Installation: row, Tools: tools, Total: total})
	}
	if errors.Is(err, sqlite.ErrRow) { // a bad row costs itself
		err = nil
	}
	return out, err
}
