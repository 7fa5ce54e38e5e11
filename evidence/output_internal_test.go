package evidence

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// writeInPieces writes text in pieces of the given sizes, the rest at once.
func writeInPieces(s *outputStream, text string, sizes []int) {
	for _, size := range sizes {
		size = min(size, len(text))
		_, _ = s.Write([]byte(text[:size]))
		text = text[size:]
	}
	_, _ = s.Write([]byte(text))
	s.finish()
}

func TestExpectedTextIsFoundAcrossWrites(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		letters := []string{"a", "A", "b", "ä", "Ä", "日", "\n"}
		expected := strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 4).Draw(r, "expected"), "")
		bytes := rapid.SampledFrom(append(letters, "\xff", "\xe6"))
		text := strings.Join(rapid.SliceOfN(bytes, 0, 60).Draw(r, "text"), "")
		out := newOutput(expected)
		writeInPieces(out.stream(), text, rapid.SliceOfN(rapid.IntRange(0, 7), 0, 20).Draw(r, "sizes"))
		if want := strings.Contains(strings.ToLower(text), strings.ToLower(expected)); out.found != want {
			r.Fatalf("found %q in %q: %v, want %v", expected, text, out.found, want)
		}
	})
}

func TestExpectedTextMayBeCutAnywhere(t *testing.T) {
	const text = "before: ÄB日 passed"
	for cut := range len(text) {
		out := newOutput(": äb日 PASSED")
		writeInPieces(out.stream(), text, []int{cut, 1})
		if !out.found {
			t.Errorf("not found when cut at byte %d", cut)
		}
	}
}

func TestExpectedTextIsNotPutTogetherFromTwoStreams(t *testing.T) {
	out := newOutput("passed")
	stdout, stderr := out.stream(), out.stream()
	_, _ = stdout.Write([]byte("pas"))
	_, _ = stderr.Write([]byte("sed"))
	if out.found {
		t.Error("found a text that neither stream has")
	}
	_, _ = stdout.Write([]byte("SED"))
	if !out.found {
		t.Error("did not find the text that one stream has")
	}
}

func TestTailIsShortAndValid(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		unit := rapid.SampledFrom([]string{"x", "日", "\xff", "\x00", "é\n"})
		text := strings.Repeat(strings.Join(rapid.SliceOfN(unit, 1, 50).Draw(r, "units"), ""), rapid.IntRange(1, 200).Draw(r, "times"))
		out := newOutput("")
		writeInPieces(out.stream(), text, rapid.SliceOfN(rapid.IntRange(0, 5000), 0, 10).Draw(r, "sizes"))
		tail := out.Tail()
		if len(tail) > maxTail || !utf8.ValidString(tail) {
			r.Fatalf("the tail has %d bytes, valid %v", len(tail), utf8.ValidString(tail))
		}
		if !strings.HasSuffix(strings.ToValidUTF8(text, "\ufffd"), tail) {
			r.Fatalf("the tail is not the end of the output")
		}
		if len(text) > maxTail && utf8.ValidString(text) && len(tail) < maxTail-utf8.UTFMax {
			r.Fatalf("the tail has only %d bytes of %d", len(tail), len(text))
		}
		if len(out.tail) > 3*maxTail {
			r.Fatalf("%d bytes are held", len(out.tail))
		}
	})
}

func TestHugeOutputIsNotHeld(t *testing.T) {
	out := newOutput("never there")
	stream := out.stream()
	chunk := []byte(strings.Repeat("no line break in here ", 1500))
	for range 1000 {
		_, _ = stream.Write(chunk)
	}
	if held := cap(out.tail) + cap(stream.seen) + cap(stream.line) + cap(stream.pending); held > 1<<20 {
		t.Errorf("%d bytes are held of %d", held, 1000*len(chunk))
	}
}
