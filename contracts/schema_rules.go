package contracts

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// notBlankPattern lists what counts as white space character by character: \s means different things to different engines.
const notBlankPattern = "[^\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"

// schemaRules says in a schema what each rule of the struct tags says to the parser.
var schemaRules = map[string]func(s *jsonschema.Schema, param string){
	"taskid":      func(s *jsonschema.Schema, _ string) { s.Pattern = taskIDPattern },
	"validatorid": func(s *jsonschema.Schema, _ string) { s.Pattern = validatorIDPattern },
	"acid":        func(s *jsonschema.Schema, _ string) { s.Pattern = acIDPattern },
	"notblank":    func(s *jsonschema.Schema, _ string) { s.Pattern = notBlankPattern },
	"instant":     func(s *jsonschema.Schema, _ string) { s.Pattern, s.Format = instantPattern, "date-time" },
	"min":         func(s *jsonschema.Schema, _ string) { s.MinItems = jsonschema.Ptr(1) },
	"eq": func(s *jsonschema.Schema, param string) {
		s.Enum, s.Const = nil, jsonschema.Ptr(any(param))
	},
	"oneof": func(*jsonschema.Schema, string) {}, // the type's enumeration says it
}

// schemer generates schemas; known are the types whose schema is made already.
type schemer struct {
	known map[reflect.Type]*jsonschema.Schema
}

// generate returns the schema of T with the rules of its struct tags.
func generate[T any](s schemer) *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: s.known})
	if err != nil {
		panic(fmt.Sprintf("contracts: no schema for %T: %v", *new(T), err)) // a type of this package, fixed at build time
	}
	s.apply(reflect.TypeFor[T](), schema)
	return schema
}

// apply adds the rules of the type's tags, and takes out the nulls that only Go's nil slices would need.
func (s schemer) apply(t reflect.Type, schema *jsonschema.Schema) {
	switch {
	case t.Kind() == reflect.Slice && schema.Items != nil:
		schema.Type, schema.Types = "array", nil
		s.apply(t.Elem(), schema.Items)
	case t.Kind() == reflect.Pointer && schema.Enum != nil && !slices.Contains(schema.Enum, nil):
		schema.Enum = append(schema.Enum, nil)
	case t.Kind() == reflect.Struct && s.known[t] == nil:
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			property := schema.Properties[name]
			s.apply(t.Field(i).Type, property)
			applyTag(t.Field(i).Tag.Get("validate"), property)
		}
	}
}

// applyTag puts the rules of one tag into a schema; those after dive are about the items.
func applyTag(tag string, schema *jsonschema.Schema) {
	for rule := range strings.SplitSeq(tag, ",") {
		name, param, _ := strings.Cut(rule, "=")
		switch {
		case name == "dive":
			schema = schema.Items
		case schemaRules[name] != nil:
			schemaRules[name](schema, param)
		}
	}
}
