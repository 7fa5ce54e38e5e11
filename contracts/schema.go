package contracts

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the draft 2020-12 JSON Schema of the named part of the wire format, indented. The names are those of
// [SchemaNames]; another one is an [Error] with [CodeUnknownName]. What a schema cannot say (a criterion judged twice, a
// duplicate name, the size of a document) only [ParseVerdict] refuses.
func Schema(name string) ([]byte, error) {
	schema, known := schemas()[name]
	if !known {
		return nil, Errorf(CodeUnknownName, "there is no schema %q", name).
			WithFix("use one of %s", strings.Join(SchemaNames(), ", "))
	}
	data, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("formatting the schema %s: %w", name, err)
	}
	return append(data, '\n'), nil
}

// SchemaNames lists the names that [Schema] knows, in alphabetical order.
func SchemaNames() []string { return slices.Sorted(maps.Keys(schemas())) }

// schemas builds every schema, once: they are generated from the Go types and their rules.
var schemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	s := schemer{known: enumSchemas()}
	finding := generate[Finding](s)
	s.known[reflect.TypeFor[Finding]()] = finding
	attestation, rejection := attestationSchema(s), rejectionSchema(s)
	s.known[reflect.TypeFor[Rejection]()] = rejection
	named := map[string]*jsonschema.Schema{
		"finding":     finding,
		"attestation": attestation,
		"rejection":   rejection,
		"verdict":     {OneOf: []*jsonschema.Schema{attestation.CloneSchemas(), rejection.CloneSchemas()}},

		"retry-entry":              openEnded(generate[RetryEntry](s)),
		"validator.ac-pull.input":  generate[ACPullInput](s),
		"validator.ac-pull.output": generate[ACPullOutput](s),
		"validator.attest.input":   withProperty(generate[AttestInput](s), "attestation", attestation),
		"validator.attest.output":  generate[AttestOutput](s),
		"validator.reject.input":   withProperty(generate[RejectInput](s), "rejection", rejection),
		"validator.reject.output":  generate[RejectOutput](s),
		"spawn.validator.input":    generate[SpawnInput](s),
		"spawn.validator.output":   generate[SpawnOutput](s),
	}
	for name, schema := range named {
		schema = schema.CloneSchemas()
		schema.Schema = "https://json-schema.org/draft/2020-12/schema"
		schema.Title = name
		named[name] = schema
	}
	return named
})

// attestationSchema says of all findings that they pass.
func attestationSchema(s schemer) *jsonschema.Schema {
	schema := generate[Attestation](s)
	schema.Properties["findings"].Items.Properties["status"] = constant(string(StatusPass))
	return schema
}

// rejectionSchema says of at least one finding that it does not pass.
func rejectionSchema(s schemer) *jsonschema.Schema {
	schema := generate[Rejection](s)
	schema.Properties["findings"].Contains = &jsonschema.Schema{
		Type:       "object",
		Required:   []string{"status"},
		Properties: map[string]*jsonschema.Schema{"status": enum(StatusFail, StatusInconclusive)},
	}
	return schema
}

// openEnded lets readers meet fields that a later writer adds.
func openEnded(schema *jsonschema.Schema) *jsonschema.Schema {
	schema.AdditionalProperties = nil
	return schema
}

func withProperty(schema *jsonschema.Schema, name string, property *jsonschema.Schema) *jsonschema.Schema {
	schema.Properties[name] = property.CloneSchemas()
	return schema
}

// enumSchemas gives every closed list of words its enumeration.
func enumSchemas() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[AgentRole]():     enum(AgentRoles()...),
		reflect.TypeFor[FindingStatus](): enum(StatusPass, StatusFail, StatusInconclusive),
		reflect.TypeFor[BindingStatus](): enum(BindingSatisfied, BindingUnsatisfied),
		reflect.TypeFor[VerdictKind]():   enum(VerdictAttest, VerdictReject),
		reflect.TypeFor[FaultKind]():     enum(FaultKinds()...),
		reflect.TypeFor[FaultFamily]():   enum(FamilySemantic, FamilyInfra),
		reflect.TypeFor[FaultClass]():    enum(ClassPermanent, ClassTransient, ClassTransientThenPermanent),
		reflect.TypeFor[RetryDecision](): enum(DecisionRetryValidator, DecisionRetryWorker, DecisionEscalateHITL,
			DecisionEscalatePermanent, DecisionAttest),
		reflect.TypeFor[jsontext.Value](): {},
	}
}

func enum[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, string(word))
	}
	return s
}

func constant(word string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Const: jsonschema.Ptr(any(word))}
}
