package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kandev/backend/sqlite"
)

// How much room there should be: less than lowDisk is worth a note, with less than noDisk nothing can be kept.
const (
	lowDisk = 500 << 20
	noDisk  = 20 << 20
)

// dataFolder looks at rights and room. A folder that is not there yet is made by the first start, so what counts is
// whether that can be done.
func (o Options) dataFolder() []Finding {
	f := Finding{ID: "data_folder", Title: "Data folder", State: OK, Detail: o.Home + "."}
	const fix = "Make it writable for your user, or choose another one with KANDEV_HOME."
	info, err := os.Stat(o.Home)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		parent := existing(o.Home)
		if err := probe(parent); err != nil {
			return []Finding{missing(f, fmt.Sprintf("%s is not there, and nothing can be made in %s: %v.", o.Home, parent, err), fix)}
		}
		f.Detail = o.Home + " is not there yet; the first start makes it."
	case err != nil:
		return []Finding{missing(f, fmt.Sprintf("%s cannot be looked at: %v.", o.Home, err), fix)}
	case !info.IsDir():
		return []Finding{missing(f, o.Home+" is no folder.", "Move that file away, or choose another folder with KANDEV_HOME.")}
	default:
		if err := probe(o.Home); err != nil {
			return []Finding{missing(f, fmt.Sprintf("%s cannot be written to: %v. The app would run and save nothing.", o.Home, err), fix), o.disk()}
		}
		if o.goos != "windows" && info.Mode().Perm()&0o077 != 0 {
			f.State, f.Fix = Note, fmt.Sprintf("chmod 700 %q", o.Home)
			f.Detail = fmt.Sprintf("%s can be entered by other users (mode %04o).", o.Home, info.Mode().Perm())
		}
	}
	return []Finding{f, o.disk()}
}

// existing is the nearest folder above path that is there.
func existing(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
}

// probe writes a file and removes it.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".kandev-probe-*")
	if err != nil {
		return reason(err)
	}
	_, err = f.Write(make([]byte, 4<<10))
	return reason(errors.Join(err, f.Close(), os.Remove(f.Name())))
}

// reason is an error without the path that the sentence says already.
func reason(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

func (o Options) disk() Finding {
	f := Finding{ID: "disk", Title: "Disk", State: OK}
	dir := o.Home
	if _, err := os.Stat(dir); err != nil {
		dir = existing(dir)
	}
	free, err := o.free(dir)
	if err != nil {
		f.State, f.Detail = Note, fmt.Sprintf("The free space is not known: %v.", reason(err))
		return f
	}
	f.Detail = fmt.Sprintf("%d MB are free.", free>>20)
	switch {
	case free < noDisk:
		return missing(f, f.Detail+" Nothing can be kept.", "Free some space on the disk that holds "+dir+".")
	case free < lowDisk:
		f.State, f.Fix = Note, "Free some space on the disk that holds "+dir+"."
	}
	return f
}

// database reads the version of the schema, and nothing else.
func (o Options) database(ctx context.Context) Finding {
	f := Finding{ID: "database", Title: "Database", State: OK}
	schema, err := sqlite.Peek(ctx, filepath.Join(o.Home, sqlite.FileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Detail = "There is none yet; the first start makes it."
	case errors.Is(err, sqlite.ErrNotDatabase):
		return missing(f, "It is damaged or belongs to another program. The next start sets it aside and begins a new one.",
			"To keep what is in it, copy the data folder before you start Kandev Desktop.")
	case err != nil:
		return missing(f, fmt.Sprintf("It cannot be read: %v.", err), "Look at the rights of the data folder.")
	case schema.Found > schema.Known:
		return missing(f, fmt.Sprintf("It was written by a newer Kandev Desktop (schema %d, this one knows %d). It is left as it is.", schema.Found, schema.Known),
			"Install the newer version.")
	case schema.Found < schema.Known:
		f.Detail = fmt.Sprintf("Schema %d; the next start brings it to %d and keeps a backup beside it.", schema.Found, schema.Known)
	default:
		f.Detail = fmt.Sprintf("Schema %d.", schema.Found)
	}
	return f
}
