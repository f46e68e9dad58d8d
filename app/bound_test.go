package app

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// boundRules lists what is wrong with the exported methods of a bound type. Wails accepts all of
// it and fails at run time: a NaN in a result ends the process, so no view holds a float at all
// and no finite-number guard is needed; time.Time becomes `any`, json.RawMessage a list of
// numbers, a context an ordinary argument, and a third result is null.
func boundRules(bound reflect.Type) []string {
	var wrong []string
	for method := range bound.Methods() {
		complain := func(format string, args ...any) {
			wrong = append(wrong, method.Name+": "+fmt.Sprintf(format, args...))
		}
		f := method.Type
		if f.NumIn() < 2 || f.In(1).Kind() != reflect.String {
			complain("the first argument is the session token, a string")
		}
		if f.IsVariadic() {
			complain("variadic")
		}
		if n := f.NumOut(); n < 1 || n > 2 || f.Out(n-1) != reflect.TypeFor[error]() {
			complain("answers (error) or (value, error)")
		}
		for i := 1; i < f.NumIn(); i++ {
			unsuitable(f.In(i), fmt.Sprintf("argument %d", i), map[reflect.Type]bool{}, complain)
		}
		if f.NumOut() == 2 {
			unsuitable(f.Out(0), "result", map[reflect.Type]bool{}, complain)
		}
	}
	return wrong
}

// unsuitable walks a type that travels between Go and the page.
func unsuitable(t reflect.Type, where string, seen map[reflect.Type]bool, complain func(string, ...any)) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t {
	case reflect.TypeFor[time.Time](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[context.Context]():
		complain("%s holds %s: use a string", where, t)
		return
	}
	switch t.Kind() {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		complain("%s holds a float: use whole numbers or a string", where)
	case reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		complain("%s holds %s: say what it is", where, t)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		unsuitable(t.Elem(), where, seen, complain)
	case reflect.Map:
		unsuitable(t.Key(), where+" key", seen, complain)
		unsuitable(t.Elem(), where, seen, complain)
	case reflect.Struct:
		for field := range t.Fields() {
			if field.IsExported() && field.Tag.Get("json") != "-" {
				unsuitable(field.Type, where+"."+field.Name, seen, complain)
			}
		}
	}
}

func TestBoundMethods(t *testing.T) {
	for _, wrong := range boundRules(reflect.TypeFor[*API]()) {
		t.Error(wrong)
	}
}

// A bound method goes through the door and calls one thing: at most five lines. What is longer has a name of its own.
func TestBoundMethodsAreShort(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	const most = 5
	seen := 0
	for _, file := range files {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Recv == nil || receiver(f) != "API" {
				continue
			}
			seen++
			if lines := set.Position(f.Body.Rbrace).Line - set.Position(f.Body.Lbrace).Line - 1; lines > most {
				t.Errorf("%s: %s has %d lines, more than %d", file, f.Name.Name, lines, most)
			}
		}
	}
	if bound := reflect.TypeFor[*API]().NumMethod(); seen != bound {
		t.Errorf("%d methods were seen, %d are bound", seen, bound)
	}
}

func receiver(f *ast.FuncDecl) string {
	if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
		if name, ok := star.X.(*ast.Ident); ok {
			return name.Name
		}
	}
	return ""
}

type goodBound struct{}

type goodView struct {
	Title  string
	Count  int
	Parts  []goodView
	ByName map[string]*goodView
}

func (goodBound) Rename(_, _, _ string) error         { return nil }
func (goodBound) View(_ string) (goodView, error)     { return goodView{}, nil }
func (goodBound) List(_ string, _ int) ([]int, error) { return nil, nil }

type badBound struct{}

func (badBound) NoToken() error { return nil }
func (badBound) Float(_ string) (struct{ Ratio float64 }, error) {
	return struct{ Ratio float64 }{}, nil
}
func (badBound) Anything(_ string) (map[string]any, error)            { return nil, nil }
func (badBound) Time(_ string, _ struct{ At time.Time }) error        { return nil }
func (badBound) Raw(_ string) (*struct{ S []json.RawMessage }, error) { return nil, nil }
func (badBound) Ctx(_ string, _ context.Context) error                { return nil } //nolint:revive // wrong on purpose
func (badBound) Three(_ string) (int, int, error)                     { return 0, 0, nil }
func (badBound) NoError(_ string) string                              { return "" }

func TestBoundRules(t *testing.T) {
	if wrong := boundRules(reflect.TypeFor[goodBound]()); len(wrong) != 0 {
		t.Errorf("a good type is refused: %q", wrong)
	}
	bad := reflect.TypeFor[badBound]()
	wrong := strings.Join(boundRules(bad), "\n")
	for method := range bad.Methods() {
		if !strings.Contains(wrong, method.Name+": ") {
			t.Errorf("%s is not found wanting in:\n%s", method.Name, wrong)
		}
	}
}
