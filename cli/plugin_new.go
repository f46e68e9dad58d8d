package cli

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kandev/backend/plugin"
)

const pluginNewUsage = `Usage: kandev-desktop plugin new FOLDER

Makes FOLDER with a plugin in Go to start from: one tool, its test, and a program that packs it. It needs Go 1.24 or
newer and nothing else. The last part of FOLDER becomes the plugin's id, which is in the names of its tools and stays
for ever: letters, digits, dot, hyphen and underscore. A folder that is there is left alone.

Exit code 0: made; 1: it could not be made, or is there already; 2: the command line could not be read.
`

// The files of a new plugin, named with .tmpl so that no tool takes them for ours. They are those of
// examples/plugins/hello-go with the names taken out; a test compares the two.
//
//go:embed template/*.tmpl
var templates embed.FS

// shaText stands where `go run pack.go` puts the module's sha256 in the package.
const shaText = "PUT THE SHA256 OF plugin.wasm HERE"

// pluginNew is "plugin new".
func pluginNew(_ context.Context, args []string, s surroundings) int {
	rest, err := options{}.parse(args)
	if err == nil && len(rest) != 1 {
		err = errors.New("the name of one folder is needed")
	}
	if err != nil {
		return s.refused("new", err, pluginNewUsage)
	}
	id := filepath.Base(filepath.Clean(rest[0]))
	files, err := newPlugin(id)
	if err != nil {
		return s.refused("new", err, pluginNewUsage)
	}
	if err := makeFolder(rest[0], files); err != nil {
		return s.failed("new", err)
	}
	fmt.Fprintf(s.out, "%s holds a plugin with one tool, %s.\n\n"+
		"  cd %s\n  go test .\n  go run pack.go\n  kandev-desktop plugin inspect %s-1.0.0.zip\n",
		visible(rest[0]), plugin.Canonical(id, "hello"), visible(rest[0]), id)
	return exitDone
}

// newPlugin is what a new folder holds, by file name. The error says what is wrong with the id.
func newPlugin(id string) (map[string]string, error) {
	title := strings.Join(strings.FieldsFunc(id, func(r rune) bool { return strings.ContainsRune("._-", r) }), " ")
	if title == "" || strings.ContainsRune(title, filepath.Separator) { // "." and ".." and the top of all
		return nil, fmt.Errorf("%q is no name for a new folder", id)
	}
	title = strings.ToUpper(title[:1]) + title[1:]
	files, err := fillIn(map[string]string{
		"id": id, "title": title, "command": plugin.Slug(id), "module": "example/" + plugin.Slug(id),
		"author": "", "description": "", "license": "",
	})
	if err != nil {
		return nil, err
	}
	// The id is held against the rules of the app itself, before it is part of anything.
	m, err := plugin.Parse([]byte(strings.Replace(files["plugin.json"], shaText, strings.Repeat("0", 64), 1)))
	if err != nil {
		return nil, fmt.Errorf("the folder's name becomes the plugin's id: %s", strings.TrimPrefix(err.Error(), "plugin.json: "))
	}
	if m.ID != id {
		return nil, fmt.Errorf("%q is no id", id)
	}
	if _, err := plugin.Names(m.ID, m.ToolNames()); err != nil {
		return nil, err
	}
	return files, nil
}

// fillIn gives the template's files their names.
func fillIn(names map[string]string) (map[string]string, error) {
	var pairs []string
	for name, value := range names {
		pairs = append(pairs, "{{"+name+"}}", value)
	}
	replacer := strings.NewReplacer(pairs...)
	entries, err := templates.ReadDir("template")
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := fs.ReadFile(templates, "template/"+e.Name())
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(e.Name(), ".tmpl")
		if name == "gitignore" { // a hidden file is not embedded
			name = ".gitignore"
		}
		files[name] = replacer.Replace(string(text))
	}
	return files, nil
}

// makeFolder writes the files into a folder that must not be there, and leaves none behind when that fails.
func makeFolder(dir string, files map[string]string) (err error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already, and is left as it is", dir)
		}
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir) // made here, a moment ago
		}
	}()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
