package audit

import (
	"bufio"
	"errors"
	"io"
	"iter"
)

// numberedLine is one line without its end. text is valid until the next one is asked for; it is empty when the line is
// too long to be held.
type numberedLine struct {
	number  int
	text    []byte
	tooLong bool
}

// lines yields the lines of r; the last one need not be ended. It holds one line of at most maxLine bytes at a time. A
// read error is yielded last.
func lines(r io.Reader) iter.Seq2[numberedLine, error] {
	return func(yield func(numberedLine, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var held []byte
		for number := 1; ; number++ {
			text, tooLong, err := readLine(in, held[:0])
			held = text
			if err != nil && !errors.Is(err, io.EOF) {
				yield(numberedLine{number: number}, err)
				return
			}
			last := err != nil
			if last && len(text) == 0 && !tooLong {
				return
			}
			if tooLong {
				text = nil
			}
			if !yield(numberedLine{number: number, text: text, tooLong: tooLong}, nil) || last {
				return
			}
		}
	}
}

// readLine reads to the end of the line into buf, giving up on keeping it beyond maxLine.
func readLine(in *bufio.Reader, buf []byte) (text []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(buf)+len(part) > maxLine {
			tooLong, buf = true, buf[:0]
		}
		if !tooLong {
			buf = append(buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, tooLong, err
		}
	}
}
