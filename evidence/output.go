package evidence

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxTail is how many bytes of a command's output are kept.
const maxTail = 2 << 10

// output watches what a command writes without holding it: the end is kept, an expected text is looked for, and the
// lines with which package managers say that the environment let them down are noticed.
type output struct {
	mu       sync.Mutex // the two streams may be copied at once
	tail     []byte
	expected string
	found    bool
	trouble  *environmentTrouble
}

func newOutput(expected string) *output {
	return &output{expected: strings.ToLower(expected), found: expected == ""}
}

// stream returns a writer for one of the command's two streams. Text that the streams write in turns is never taken for
// one text.
func (o *output) stream() *outputStream { return &outputStream{out: o} }

// Tail returns the end of the output: at most maxTail bytes, valid UTF-8.
func (o *output) Tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return validTail(o.tail)
}

// keep holds a little more than the tail, so that the tail can begin at a character.
func (o *output) keep(p []byte) {
	const held = maxTail + utf8.UTFMax
	if len(p) > held {
		p = p[len(p)-held:]
	}
	o.tail = append(o.tail, p...)
	if len(o.tail) > 2*held {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-held:]...)
	}
}

// validTail replaces what is not UTF-8 and cuts at a character, in this order: the replacement is longer than the byte.
func validTail(tail []byte) string {
	if cut := len(tail) - maxTail; cut > 0 {
		tail = tail[cut:]
		for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
			tail = tail[1:]
		}
	}
	text := strings.ToValidUTF8(string(tail), "\ufffd")
	for len(text) > maxTail {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}

// outputStream is one stream of an [output].
type outputStream struct {
	out *output
	// seen is the lower-cased end of the stream, one byte short of the expected text; pending is a character not yet
	// whole.
	seen, pending []byte
	line          []byte
	watch         signWatch
}

// Write takes everything and never fails.
func (s *outputStream) Write(p []byte) (int, error) {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.keep(p)
	if !s.out.found {
		s.search(p)
	}
	if s.out.trouble == nil {
		s.scanLines(p)
	}
	return len(p), nil
}

// search looks for the expected text in the stream so far, across the borders of writes.
func (s *outputStream) search(p []byte) {
	text := append(s.pending, p...)
	whole := len(text) - incompleteSuffix(text)
	s.seen = append(s.seen, bytes.ToLower(text[:whole])...)
	s.pending = append([]byte(nil), text[whole:]...)
	if bytes.Contains(s.seen, []byte(s.out.expected)) {
		s.out.found = true
		s.seen, s.pending = nil, nil
		return
	}
	if excess := len(s.seen) - (len(s.out.expected) - 1); excess > 0 {
		s.seen = append(s.seen[:0], s.seen[excess:]...)
	}
}

// incompleteSuffix returns how many bytes at the end begin a character whose rest is still to come.
func incompleteSuffix(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if start := text[len(text)-n:]; utf8.RuneStart(start[0]) {
			if utf8.FullRune(start) {
				return 0
			}
			return n
		}
	}
	return 0
}

// maxScannedLine is how much of a line is looked at for a sign.
const maxScannedLine = 1 << 10

// scanLines looks at each line once it is whole.
func (s *outputStream) scanLines(p []byte) {
	for s.out.trouble == nil {
		part, rest, whole := bytes.Cut(p, []byte{'\n'})
		if room := maxScannedLine - len(s.line); room > 0 {
			s.line = append(s.line, part[:min(room, len(part))]...)
		}
		if !whole {
			return
		}
		s.endLine()
		p = rest
	}
}

func (s *outputStream) endLine() {
	s.out.trouble = s.watch.look(string(s.line))
	s.line = s.line[:0]
}

// finish looks at a last line that was not ended.
func (s *outputStream) finish() {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	if s.out.trouble == nil {
		s.endLine()
	}
}
