package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// checkTool applies the rules that need no compiler.
func checkTool(t Tool) error {
	switch {
	case t.Name == "" || len(t.Name) > MaxToolName || !printable(t.Name):
		return fmt.Errorf("the name has to have 1 to %d bytes of text", MaxToolName)
	case t.Description == "" || len(t.Description) > MaxDescription:
		return fmt.Errorf("the description of %q has %d bytes, allowed are 1 to %d", t.Name, len(t.Description), MaxDescription)
	case !utf8.ValidString(t.Description):
		return fmt.Errorf("the description of %q is not valid UTF-8", t.Name)
	case !printable(t.Description):
		return fmt.Errorf("the description of %q holds control characters", t.Name)
	}
	if err := checkSchema(t.InputSchema); err != nil {
		return fmt.Errorf("the input schema of %q: %w", t.Name, err)
	}
	return nil
}

// checkSchema wants an object schema of bounded size that refers to nothing
// outside itself.
func checkSchema(raw json.RawMessage) error {
	if len(raw) == 0 {
		return errors.New("missing")
	}
	if len(raw) > 4*MaxSchema { // white space does not count, but is not endless either
		return fmt.Errorf("%d bytes, at most %d are allowed", len(raw), MaxSchema)
	}
	var compact bytes.Buffer
	if !utf8.Valid(raw) || json.Compact(&compact, raw) != nil {
		return errors.New("not valid JSON")
	}
	if compact.Len() > MaxSchema {
		return fmt.Errorf("%d bytes, at most %d are allowed", compact.Len(), MaxSchema)
	}
	var doc any
	dec := json.NewDecoder(&compact)
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return errors.New("not valid JSON")
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return errors.New("has to be an object")
	}
	if root["type"] != "object" {
		return errors.New(`the root needs "type":"object"`)
	}
	if ref := externalRef(doc); ref != "" {
		return fmt.Errorf("refers to %.80q, which is outside of it", ref)
	}
	return nil
}

// externalRef finds a reference that is not within the document.
func externalRef(v any) string {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			ref, isText := child.(string)
			if (key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef") && isText && !strings.HasPrefix(ref, "#") {
				return ref
			}
			if found := externalRef(child); found != "" {
				return found
			}
		}
	case []any:
		for _, child := range v {
			if found := externalRef(child); found != "" {
				return found
			}
		}
	}
	return ""
}
