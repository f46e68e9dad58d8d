package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"kandev/backend"
	"kandev/backend/plugin"
)

const pluginConfigureUsage = `Usage: kandev-desktop plugin configure [options] ID [KEY=VALUE…]

Sets settings of a plugin; those that are not named stay. KEY= forgets one. Without any, shows them. A module without a
plugin.json declares none and takes what it is given. Nothing is changed when one of them is refused. The app has to be
closed.

Secrets are never taken from the command line, which other users can read:
  --secret KEY             its value is what standard input holds, without the line end behind it
  --secret-file KEY=FILE   its value is what a file holds, without the line end behind it. May be repeated
  --forget KEY             forgets a setting, a secret too. May be repeated

  --json                   the plugin as it is afterwards, as one JSON object without values

Exit code 0: set, or shown; 1: a setting was refused, or the app runs; 2: the command line, standard input or a file
could not be read.
`

// maxSecret is what is read of a secret; the store takes less and says so.
const maxSecret = 64 << 10

// configuring is one run of "plugin configure".
type configuring struct {
	surroundings
	values []backend.PluginValue
	taken  map[string]bool
}

// pluginConfigure is "plugin configure".
func pluginConfigure(ctx context.Context, args []string, s surroundings) int {
	var asJSON bool
	var secrets, files, forget []string
	rest, err := options{
		switches: map[string]*bool{"json": &asJSON},
		values:   map[string]*[]string{"secret": &secrets, "secret-file": &files, "forget": &forget},
	}.parse(args)
	if err == nil && len(rest) == 0 {
		err = errors.New("the id of one plugin is needed; plugin list names them")
	}
	c := configuring{surroundings: s, taken: map[string]bool{}}
	if err == nil {
		err = c.read(ctx, rest[1:], secrets, files, forget)
	}
	if ctx.Err() != nil {
		return s.failed("configure", errInterrupted)
	}
	if err != nil {
		return s.refused("configure", err, pluginConfigureUsage)
	}
	return s.withPlugins(ctx, "configure", func(store *backend.PluginStore) (int, error) {
		before, err := s.now(ctx, store, rest[0])
		if err != nil {
			return exitFailed, err
		}
		for _, v := range c.values {
			if err := fits(before.Manifest, v); err != nil {
				return exitFailed, err
			}
		}
		if len(c.values) > 0 {
			if err := store.ConfigurePlugin(ctx, rest[0], c.values); err != nil {
				return exitFailed, err
			}
		}
		place := ""
		if len(secrets)+len(files) > 0 {
			place = store.SecretPlace(ctx).Sentence()
		}
		return s.show(ctx, store, rest[0], asJSON, func(p *printing, now backend.Plugin) { settingsText(p, now, place) })
	})
}

// read takes the values from the command line, standard input and files. An error never holds one.
func (c *configuring) read(ctx context.Context, plain, secrets, files, forget []string) error {
	for _, arg := range plain {
		key, value, ok := strings.Cut(arg, "=")
		if !ok || key == "" {
			return errors.New("a setting is given as KEY=VALUE")
		}
		if err := c.take(backend.PluginValue{Key: key, Value: value}); err != nil {
			return err
		}
	}
	for _, key := range forget {
		if err := c.take(backend.PluginValue{Key: key, Secret: true}); err != nil {
			return err
		}
	}
	for _, arg := range files {
		key, file, ok := strings.Cut(arg, "=")
		if !ok || key == "" || file == "" {
			return errors.New("--secret-file wants KEY=FILE")
		}
		text, err := backend.ReadPluginFile(file)
		if err != nil {
			return err
		}
		if err := c.secret(key, visible(file), text); err != nil {
			return err
		}
	}
	switch len(secrets) {
	case 0:
		return nil
	case 1:
	default:
		return errors.New("standard input holds one value: --secret stands once; --secret-file may be repeated")
	}
	text, err := c.input(ctx, maxSecret)
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	return c.secret(secrets[0], "standard input", text)
}

func (c *configuring) secret(key, from string, text []byte) error {
	value := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	switch {
	case value == "":
		return fmt.Errorf("%s holds nothing for %s; --forget forgets it", from, key)
	case !utf8.ValidString(value) || strings.Contains(value, "\x00"):
		return fmt.Errorf("what %s holds for %s is not text", from, key)
	}
	return c.take(backend.PluginValue{Key: key, Value: value, Secret: true})
}

func (c *configuring) take(v backend.PluginValue) error {
	if c.taken[v.Key] {
		return fmt.Errorf("%s is given twice", v.Key)
	}
	c.taken[v.Key] = true
	c.values = append(c.values, v)
	return nil
}

// fits refuses a value that came the wrong way: a secret by the command line, and what is shown as a secret.
func fits(m plugin.Manifest, v backend.PluginValue) error {
	f, declared := m.Field(v.Key)
	switch {
	case declared && f.Secret && !v.Secret:
		return fmt.Errorf("%s is a secret, and others can read a command line: give it with --secret %s on standard input or with --secret-file; --forget %s forgets it", v.Key, v.Key, v.Key)
	case declared && !f.Secret && v.Secret && v.Value != "":
		return fmt.Errorf("%s is no secret and would be shown: give it as %s=VALUE", v.Key, v.Key)
	}
	return nil
}

// settingsText shows the settings; of a secret only whether it is set.
func settingsText(p *printing, now backend.Plugin, place string) {
	m := now.Manifest
	p.f("Settings of %s %s (%s)\n", visible(m.Name), visible(m.Version), visible(m.ID))
	if len(m.Config) == 0 {
		p.f("  It declares no settings.\n")
	}
	for _, f := range m.Config {
		var about []string
		if f.Type != plugin.FieldString {
			about = append(about, string(f.Type))
		}
		if f.Secret {
			about = append(about, "secret")
		}
		if f.Required {
			about = append(about, "required")
		}
		word := "not set"
		if now.Set(f.Key, f.Secret) {
			word = cmp.Or(visible(now.Values[f.Key]), "set")
		}
		if len(about) > 0 {
			word += " (" + strings.Join(about, ", ") + ")"
		}
		p.f("  %-15s %s\n", visible(f.Key), word)
	}
	if place != "" {
		p.f("%s\n", place)
	}
}
