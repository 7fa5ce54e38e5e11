package cleovalidator

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/cleocode/cleo-validator/"

// rooms lists the packages from the top of the house down; those on one line do not know each other. A package imports
// only packages on lines below its own.
var rooms = [][]string{
	{"cmd/cleo-validator"},
	{"runtime"},
	{"spawn"},
	{"tools"},
	{"evidence"},
	{"audit"},
	{"store"},
	{"migrations"},
	{"internal/git"},
	{"internal/proc"},
	{"contracts"},
}

// floor returns the line of a room, -1 when the house has no such room.
func floor(room string) int {
	return slices.IndexFunc(rooms, func(line []string) bool { return slices.Contains(line, room) })
}

func TestImportsPointDown(t *testing.T) {
	for file, imports := range projectImports(t) {
		room := path.Dir(filepath.ToSlash(file))
		if room == "." {
			continue // the map and this test
		}
		from := floor(room)
		if from < 0 {
			t.Errorf("%s: the room %s is not in the table; say which line it stands on", file, room)
			continue
		}
		for _, imported := range imports {
			if to := floor(imported); to < 0 {
				t.Errorf("%s imports %s, which is no room", file, imported)
			} else if to <= from && imported != room {
				t.Errorf("%s imports %s, which does not stand below %s", file, imported, room)
			}
		}
	}
}

// TestEffectsStayInTheirRoom holds what the table of imports cannot say: who may know SQL, processes and cobra.
func TestEffectsStayInTheirRoom(t *testing.T) {
	owners := map[string][]string{
		"database/sql":             {"store", "migrations"},
		"os/exec":                  {"internal/git", "internal/proc"},
		"github.com/spf13/cobra":   {"cmd/cleo-validator"},
		"modernc.org/sqlite":       {"store"},
		"github.com/gofrs/flock":   {"audit", "store", "spawn"},
		"github.com/pressly/goose": {"store"},
	}
	for file, imports := range allImports(t) {
		room := path.Dir(filepath.ToSlash(file))
		for _, imported := range imports {
			for effect, allowed := range owners {
				if (imported == effect || strings.HasPrefix(imported, effect+"/")) && !slices.Contains(allowed, room) {
					t.Errorf("%s imports %s, which belongs to %v", file, imported, allowed)
				}
			}
		}
	}
}

func TestEveryRoomExists(t *testing.T) {
	for _, line := range rooms {
		for _, room := range line {
			if info, err := os.Stat(filepath.FromSlash(room)); err != nil || !info.IsDir() {
				t.Errorf("the table names %s, which is no directory", room)
			}
		}
	}
}

// projectImports returns, per file outside tests, the rooms that it imports.
func projectImports(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for file, imports := range allImports(t) {
		out[file] = nil
		for _, imported := range imports {
			if room, ok := strings.CutPrefix(imported, module); ok {
				out[file] = append(out[file], room)
			}
		}
	}
	return out
}

// allImports returns, per file outside tests, every import path.
func allImports(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		out[name] = nil
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			out[name] = append(out[name], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("found only %d source files; the test looks in the wrong place", len(out))
	}
	return out
}
