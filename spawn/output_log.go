package spawn

import (
	"os"
	"strings"
	"unicode/utf8"
)

// detailTail is how many bytes of each stream go into an audit row.
const detailTail = 8 << 10

// outputLog takes one output stream of a process: the beginning goes to a file, the end stays in memory, what is between
// them is counted.
type outputLog struct {
	file    *os.File
	room    int64 // bytes that the file still takes
	dropped int64
	keep    int
	end     []byte
}

// Write takes everything and never fails: a log that cannot be written must not end the process that writes it.
func (l *outputLog) Write(p []byte) (int, error) {
	l.store(p)
	recent := p
	if len(recent) > l.keep {
		recent = recent[len(recent)-l.keep:]
	}
	l.end = append(l.end, recent...)
	if len(l.end) > 2*l.keep {
		l.end = append(l.end[:0], l.end[len(l.end)-l.keep:]...)
	}
	return len(p), nil
}

func (l *outputLog) store(p []byte) {
	fits := p[:min(int64(len(p)), l.room)]
	n, err := l.file.Write(fits)
	l.room -= int64(n)
	if err != nil {
		l.room = 0
	}
	l.dropped += int64(len(p) - n)
}

// Tail returns the last bytes of the stream, as many as are kept.
func (l *outputLog) Tail() []byte {
	return l.end[max(0, len(l.end)-l.keep):]
}

// Text returns the end of the stream for an audit row: at most 8 KiB, valid UTF-8.
func (l *outputLog) Text() string { return tailText(l.Tail(), detailTail) }

// Close closes the file.
func (l *outputLog) Close() { _ = l.file.Close() }

// tailText returns at most limit bytes of the end of data, beginning at a character.
func tailText(data []byte, limit int) string {
	if cut := len(data) - limit; cut > 0 {
		data = data[cut:]
		for i := 0; i < utf8.UTFMax && len(data) > 0 && !utf8.RuneStart(data[0]); i++ {
			data = data[1:]
		}
	}
	return strings.ToValidUTF8(string(data), "?")
}
