package contracts

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// The limits of every JSON document that is read.
const (
	// MaxDocument is the largest document in bytes.
	MaxDocument = 8 << 20
	// MaxDepth is the deepest nesting of objects and arrays.
	MaxDepth = 64
	// MaxValues is the largest number of values in it. An envelope of MaxDocument bytes has about half as many; a document
	// of little else than commas would take many times its size in memory.
	MaxValues = 1 << 19
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// node is a JSON value with all that a strict reader must see: the names of an object in their order, duplicates
// included.
type node struct {
	kind    jsontext.Kind
	text    string // of a string or a number
	members []member
	items   []node
	raw     jsontext.Value
}

type member struct {
	name  string
	value node
}

// readDocument reads exactly one JSON value. A byte-order mark is accepted; invalid UTF-8, trailing data, too large a
// document, too deep a nesting and too many values are refused without reading on.
func readDocument(data []byte) (node, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if len(data) > MaxDocument {
		return node{}, fmt.Errorf("the document is larger than %d MiB", MaxDocument>>20)
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return node{}, errors.New("the document is empty")
	}
	r := &reader{data: data, dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
	root, err := r.value()
	if err != nil {
		return node{}, r.describe(err)
	}
	if _, err := r.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return node{}, fmt.Errorf("there is trailing data after the document, at byte %d", r.dec.InputOffset())
	}
	return root, nil
}

type reader struct {
	data   []byte
	dec    *jsontext.Decoder
	values int
}

var (
	errTooDeep = fmt.Errorf("the document nests deeper than %d levels", MaxDepth)
	errTooMany = fmt.Errorf("the document has more than %d values", MaxValues)
)

// value reads the next value with everything in it.
func (r *reader) value() (node, error) {
	before := r.dec.InputOffset()
	token, err := r.dec.ReadToken()
	if err != nil {
		return node{}, err
	}
	if r.values++; r.values > MaxValues {
		return node{}, errTooMany
	}
	n := node{kind: token.Kind()}
	switch n.kind {
	case '{', '[':
		if r.dec.StackDepth() > MaxDepth {
			return node{}, errTooDeep
		}
		err = r.children(&n)
	case '"', '0':
		n.text = token.String()
	}
	n.raw = bytes.TrimLeft(r.data[before:r.dec.InputOffset()], " \t\r\n,:")
	return n, err
}

// children reads the members or items of n and its closing bracket.
func (r *reader) children(n *node) error {
	for {
		switch next := r.dec.PeekKind(); next {
		case '}', ']':
			_, err := r.dec.ReadToken()
			return err
		case 0:
			_, err := r.dec.ReadToken()
			return err
		}
		var name string
		if n.kind == '{' {
			token, err := r.dec.ReadToken()
			if err != nil {
				return err
			}
			name = token.String()
		}
		child, err := r.value()
		if err != nil {
			return err
		}
		if n.kind == '{' {
			n.members = append(n.members, member{name, child})
		} else {
			n.items = append(n.items, child)
		}
	}
}

// describe words an error of the decoder for the sender of the document.
func (r *reader) describe(err error) error {
	if errors.Is(err, errTooDeep) || errors.Is(err, errTooMany) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("the document ends in the middle of a value")
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("the document is not JSON: %w, at byte %d", syntax.Err, syntax.ByteOffset)
	}
	return fmt.Errorf("the document is not JSON: %w", err)
}

// kindName names a kind of JSON value in a message.
func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	}
	return "an array"
}
