package contracts

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// binder puts a document into a Go value by the value's type, and notes every place where it does not fit.
type binder struct{ violations []Violation }

func (b *binder) complain(path, format string, args ...any) {
	b.violations = append(b.violations, Violation{Path: path, Message: fmt.Sprintf(format, args...)})
}

var rawType = reflect.TypeFor[jsontext.Value]()

// bind puts n into target, which is settable.
func (b *binder) bind(n node, target reflect.Value, path string) {
	switch {
	case target.Type() == rawType:
		target.SetBytes(n.raw)
		return
	case target.Kind() == reflect.Pointer && n.kind != 'n':
		target.Set(reflect.New(target.Type().Elem()))
		b.bind(n, target.Elem(), path)
		return
	}
	want := wantedKind(target.Kind())
	if got := n.kind; got != want && !(want == 't' && got == 'f') {
		b.complain(path, "must be %s, not %s", kindName(want), kindName(got))
		return
	}
	switch target.Kind() {
	case reflect.String:
		target.SetString(n.text)
	case reflect.Bool:
		target.SetBool(n.kind == 't')
	case reflect.Int, reflect.Int64:
		b.bindInteger(n, target, path)
	case reflect.Slice:
		b.bindItems(n, target, path)
	case reflect.Struct:
		b.bindMembers(n, target, path)
	default:
		if err := json.Unmarshal(n.raw, target.Addr().Interface()); err != nil {
			b.complain(path, "is not of its form")
		}
	}
}

// wantedKind returns the JSON kind that a Go kind is written as.
func wantedKind(k reflect.Kind) jsontext.Kind {
	switch k {
	case reflect.String:
		return '"'
	case reflect.Bool:
		return 't'
	case reflect.Int, reflect.Int64:
		return '0'
	case reflect.Slice:
		return '['
	}
	return '{'
}

func (b *binder) bindInteger(n node, target reflect.Value, path string) {
	value, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil || target.OverflowInt(value) || value == math.MinInt64 {
		b.complain(path, "must be a whole number of ordinary size")
		return
	}
	target.SetInt(value)
}

func (b *binder) bindItems(n node, target reflect.Value, path string) {
	target.Set(reflect.MakeSlice(target.Type(), len(n.items), len(n.items)))
	for i, item := range n.items {
		b.bind(item, target.Index(i), path+"["+strconv.Itoa(i)+"]")
	}
}

func (b *binder) bindMembers(n node, target reflect.Value, path string) {
	shape := shapeOf(target.Type())
	seen := make(map[string]bool, len(n.members))
	for _, m := range n.members {
		place := join(path, m.name)
		field, known := shape.byName[m.name]
		switch {
		case !known:
			b.complain(place, "unknown field%s", shape.probably(m.name))
		case seen[m.name]:
			b.complain(place, "duplicate field")
		default:
			b.bind(m.value, target.Field(field.index), place)
		}
		seen[m.name] = true
	}
	for _, field := range shape.fields {
		if field.required && !seen[field.name] {
			b.complain(join(path, field.name), "is required")
		}
	}
}

// join appends a name to a path. A name that is no identifier is quoted, so that a hostile one cannot pose as a path.
func join(path, name string) string {
	if strings.ContainsFunc(name, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) || name == "" {
		name = strconv.Quote(clip(name, 64))
	}
	if path == "" {
		return clip(name, 64)
	}
	return path + "." + clip(name, 64)
}

// shape is what the JSON form of a struct looks like.
type shape struct {
	fields []shapeField
	byName map[string]shapeField
}

type shapeField struct {
	name     string
	index    int
	required bool
}

// shapes caches the shape of every type that was read: reflecting is slow, and types do not change.
var shapes sync.Map

func shapeOf(t reflect.Type) shape {
	if cached, ok := shapes.Load(t); ok {
		return cached.(shape)
	}
	s := shape{byName: map[string]shapeField{}}
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		field := shapeField{name: name, index: i, required: !strings.Contains(options, "omit")}
		s.fields = append(s.fields, field)
		s.byName[name] = field
	}
	shapes.Store(t, s)
	return s
}

// probably says which field an unknown name was probably meant to be; empty when none is close.
func (s shape) probably(name string) string {
	if len(name) > 64 {
		return ""
	}
	best, distance := "", 3
	for _, field := range s.fields {
		if strings.EqualFold(field.name, name) {
			return fmt.Sprintf(", names are case-sensitive: did you mean %q?", field.name)
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(field.name), strings.ToLower(name)); d < distance {
			best, distance = field.name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %q?", best)
}
