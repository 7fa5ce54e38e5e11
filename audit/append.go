package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/cleocode/cleo-validator/contracts"
)

// maxLine bounds a line in bytes: no writer makes a longer one, and a reader skips one.
const maxLine = 4 << 20

// durability says whether an append waits for the disk.
type durability bool

const (
	unsynced durability = false
	synced   durability = true
)

func (l *Log) appendSynced(ctx context.Context, file string, row any) error {
	line, err := encodeLine(row)
	if err != nil {
		return unavailable(l.path(file), err)
	}
	return l.append(ctx, file, line, synced)
}

// encodeLine returns row as one line of JSON. Bytes that are not UTF-8, as a program's output may have, are replaced: a
// row is not lost to them.
func encodeLine(row any) ([]byte, error) {
	line, err := json.Marshal(row, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, fmt.Errorf("formatting the line: %w", err)
	}
	return append(line, '\n'), nil
}

// append writes one line to a file of the log.
func (l *Log) append(ctx context.Context, file string, line []byte, d durability) (err error) {
	defer func() {
		if err != nil {
			err = unavailable(l.path(file), err)
		}
	}()
	if len(line) > maxLine {
		return fmt.Errorf("the line has %d bytes, more than %d", len(line), maxLine)
	}
	if err := ensureDir(l.dir); err != nil {
		return err
	}
	unlock, err := lock(ctx, l.dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return l.write(file, line, d)
}

// write appends under the lock. A torn last line is closed off in the same write, so that no other writer comes
// between.
func (l *Log) write(name string, line []byte, d durability) (err error) {
	file, err := openRegular(l.path(name), os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	end, err := inspectEnd(file)
	if err != nil {
		return fmt.Errorf("reading its end: %w", err)
	}
	if end == endTorn {
		line = append([]byte{'\n'}, line...)
		l.warn(l.path(name) + ": the last line was torn by a writer that ended early; it was closed off and the new line stands alone")
	}
	if _, err := file.Write(line); err != nil {
		return err
	}
	if d == unsynced {
		return nil
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if end == endEmpty {
		return syncDirs(l.dir)
	}
	return nil
}

// fileEnd is how a file of the log ends.
type fileEnd int

const (
	endWhole fileEnd = iota
	endEmpty
	endTorn
)

func inspectEnd(file *os.File) (fileEnd, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() == 0 {
		return endEmpty, nil
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], info.Size()-1); err != nil {
		return 0, err
	}
	if last[0] != '\n' {
		return endTorn, nil
	}
	return endWhole, nil
}

// syncDirs makes the entry of a new file last, and that of the directory that may have been made for it.
func syncDirs(dir string) error {
	for _, name := range []string{dir, filepath.Dir(dir)} {
		d, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
	}
	return nil
}

func unavailable(path string, err error) error {
	return contracts.Errorf(contracts.CodeAuditUnavailable, "appending to %s: %w", path, err).
		WithFix("make %s a directory that you can write and its files plain files, with room on the disk", filepath.Dir(path))
}
