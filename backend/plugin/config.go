package plugin

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// FieldType is the type of a configuration value. A module gets every value as
// text.
type FieldType string

// The types.
const (
	FieldString  FieldType = "string"
	FieldNumber  FieldType = "number"
	FieldInteger FieldType = "integer"
	FieldBoolean FieldType = "boolean"
)

// Field is one configuration value that a plugin may read. A secret is known
// here by its key only; its value lives in the keychain and never in a record.
type Field struct {
	Key      string    `json:"key"`
	Type     FieldType `json:"type"`
	Title    string    `json:"title,omitempty"` // empty: the key
	Secret   bool      `json:"secret,omitempty"`
	Required bool      `json:"required,omitempty"`
}

// MaxValue bounds one configuration value, in bytes.
const MaxValue = 8 << 10

var keyPattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

func parseConfig(o *object, m *Manifest) []Field {
	c, ok := o.child("config")
	if !ok {
		return nil
	}
	if len(c.order) > MaxConfig {
		o.fail("config has %d values, at most %d are allowed", len(c.order), MaxConfig)
		return nil
	}
	keys := slices.Sorted(slices.Values(c.order))
	var out []Field
	for _, key := range keys {
		f, ok := c.child(key)
		if !ok {
			c.fail("config.%.60s has to be an object", key)
			break
		}
		field := Field{
			Key: key, Type: FieldType(f.text("type", false, MaxText)), Title: f.text("title", false, MaxText),
			Secret: f.flag("secret"), Required: f.flag("required"),
		}
		if field.Type == "" {
			field.Type = FieldString
		}
		if f.err == nil {
			f.err = field.check()
		}
		if f.err != nil {
			c.fail("%w", f.err)
			break
		}
		m.note(f)
		out = append(out, field)
	}
	if c.err != nil {
		o.fail("%w", c.err)
	}
	return out
}

func (f Field) check() error {
	switch {
	case !keyPattern.MatchString(f.Key) || len(f.Key) > MaxConfigKey:
		return fmt.Errorf("config.%.60s: a key may hold letters, digits, underscore, dot and hyphen, at most %d", f.Key, MaxConfigKey)
	case !slices.Contains([]FieldType{FieldString, FieldNumber, FieldInteger, FieldBoolean}, f.Type):
		return fmt.Errorf("config.%s.type %.40q is not string, number, integer or boolean", f.Key, f.Type)
	case f.Secret && f.Type != FieldString:
		return fmt.Errorf("config.%s: a secret is a string", f.Key)
	}
	return nil
}

// CheckValue says in words for a person why a value does not fit; nil when it
// does. The value is never part of the message.
func (f Field) CheckValue(value string) error {
	var err error
	switch f.Type {
	case FieldNumber:
		_, err = strconv.ParseFloat(value, 64)
		if strings.Trim(value, "+-.0123456789eE") != "" { // Go's own forms: NaN, Inf, 0x1p4
			err = strconv.ErrSyntax
		}
	case FieldInteger:
		_, err = strconv.ParseInt(value, 10, 64)
	case FieldBoolean:
		if value != "true" && value != "false" {
			err = strconv.ErrSyntax
		}
	case FieldString:
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s has to be a value of type %s", f.Key, f.Type)
	case len(value) > MaxValue:
		return fmt.Errorf("%s has %d bytes, at most %d are allowed", f.Key, len(value), MaxValue)
	}
	return nil
}

// Field finds a declared configuration value.
func (m Manifest) Field(key string) (Field, bool) {
	i := slices.IndexFunc(m.Config, func(f Field) bool { return f.Key == key })
	if i < 0 {
		return Field{}, false
	}
	return m.Config[i], true
}

// Secrets are the keys whose values belong into the keychain.
func (m Manifest) Secrets() []string {
	var out []string
	for _, f := range m.Config {
		if f.Secret {
			out = append(out, f.Key)
		}
	}
	return out
}

// MissingConfig lists the required keys for which set says false. A plugin may
// be enabled without them; the window says what is missing.
func (m Manifest) MissingConfig(set func(key string, secret bool) bool) []string {
	var out []string
	for _, f := range m.Config {
		if f.Required && !set(f.Key, f.Secret) {
			out = append(out, f.Key)
		}
	}
	return out
}
