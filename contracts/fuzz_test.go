package contracts

import (
	"bytes"
	"testing"
)

// FuzzParseVerdict looks for input that makes the parser panic, and holds whatever it accepts to a canonical form that
// parses to itself under the same digest.
func FuzzParseVerdict(f *testing.F) {
	for _, v := range vectors() {
		f.Add([]byte(v.document))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		verdict, err := ParseVerdict(document)
		if err != nil {
			if !verdict.IsZero() || CodeOf(err) == CodeInternal {
				t.Fatalf("%v with %v", verdict, err)
			}
			return
		}
		again, err := ParseVerdict(verdict.Canonical())
		if err != nil {
			t.Fatalf("the canonical form is refused: %v", err)
		}
		if !bytes.Equal(again.Canonical(), verdict.Canonical()) || again.Digest() != verdict.Digest() {
			t.Fatalf("the canonical form changed:\n%s\n%s", verdict.Canonical(), again.Canonical())
		}
	})
}
