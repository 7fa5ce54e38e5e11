package store

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

// makeDatabase makes an SQLite database with the given statements.
func makeDatabase(t *testing.T, path string, statements ...string) {
	t.Helper()
	p := must(openPool(dsn(path, nil), 1))
	defer p.Close()
	for _, statement := range statements {
		if _, err := p.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
}

// listing returns every file below a directory with its contents.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestOpenLeavesWhatIsNotOurs(t *testing.T) {
	newer := fmt.Sprintf("PRAGMA user_version = %d", latestVersion()+1)
	tests := map[string]func(t *testing.T, path string){
		"Notes": func(t *testing.T, path string) { write(t, path, bytes.Repeat([]byte("no database "), 1000)) },
		"Short": func(t *testing.T, path string) { write(t, path, []byte("x")) },
		"HeaderOnly": func(t *testing.T, path string) {
			write(t, path, append([]byte("SQLite format 3\x00"), bytes.Repeat([]byte{7}, 84)...))
		},
		"OtherProgram": func(t *testing.T, path string) { makeDatabase(t, path, "CREATE TABLE t (x)") },
		"OtherProgramInWAL": func(t *testing.T, path string) {
			makeDatabase(t, path, "PRAGMA journal_mode = wal", "CREATE TABLE t (x)")
		},
		"OtherApplicationID": func(t *testing.T, path string) {
			makeDatabase(t, path, "PRAGMA application_id = 42", "CREATE TABLE tasks (x)")
		},
		"Newer": func(t *testing.T, path string) {
			_ = openAt(t, path).Close()
			makeDatabase(t, path, newer)
			if err := os.RemoveAll(path + "-locks"); err != nil {
				t.Fatal(err)
			}
		},
		// The log of a newer program that was killed still holds its version; the file alone does not tell it.
		"NewerInTheLog": func(t *testing.T, path string) {
			from := tempPath(t)
			s := openAt(t, from)
			if _, err := s.writer.Exec(newer); err != nil {
				t.Fatal(err)
			}
			for _, suffix := range []string{"", "-wal", "-shm"} {
				write(t, path+suffix, must(os.ReadFile(from+suffix)))
			}
			if h := must(readHeader(t.Context(), headerDSN(path))); h.version != latestVersion() {
				t.Fatalf("the file alone says version %d", h.version)
			}
		},
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "validator.db")
			arrange(t, path)
			before := listing(t, dir)
			_, err := Open(t.Context(), path, Options{})
			wantCode(t, err, contracts.CodeStoreInvalid)
			after := listing(t, dir)
			// The index of the log is a cache in shared memory, not data.
			delete(before, path+"-shm")
			delete(after, path+"-shm")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("Open changed something:\n%.300s", diff)
			}
		})
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOpenWhatCannotBeUsed(t *testing.T) {
	tests := map[string]func(t *testing.T) string{
		"Directory":       func(t *testing.T) string { return t.TempDir() },
		"InAFile":         func(t *testing.T) string { f := tempFile(t); return filepath.Join(f, "validator.db") },
		"NoSuchDisk":      func(*testing.T) string { return "/proc/no/validator.db" },
		"DanglingLink":    func(t *testing.T) string { return danglingLink(t) },
		"NotAPlainFile":   func(*testing.T) string { return "/dev/null" },
		"NameTooLong":     func(t *testing.T) string { return filepath.Join(t.TempDir(), string(bytes.Repeat([]byte("x"), 300))) },
		"NameWithANullIn": func(t *testing.T) string { return filepath.Join(t.TempDir(), "a\x00b") },
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), arrange(t), Options{})
			wantCode(t, err, contracts.CodeStoreUnavailable)
		})
	}
}

func tempFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "file")
	write(t, path, []byte("x"))
	return path
}

func danglingLink(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(t.TempDir(), "no", "file"), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// roleOpen opens a database without the privileges of root and prints the code of what goes wrong.
func roleOpen(ctx context.Context, args []string) error {
	if os.Geteuid() == 0 {
		if err := syscall.Setuid(65534); err != nil {
			return err
		}
	}
	s, err := Open(ctx, args[0], Options{})
	if err == nil {
		defer s.Close()
		err = s.AddTasks(ctx, []NewTask{{ID: "T9", Title: "x"}})
	}
	fmt.Print(contracts.CodeOf(err))
	return nil
}

func TestOpenWithoutPermission(t *testing.T) {
	tests := map[string]func(t *testing.T, path string){
		"Unreadable":        func(t *testing.T, path string) { chmod(t, path, 0) },
		"ReadOnlyFile":      func(t *testing.T, path string) { chmod(t, path, 0o444) },
		"ReadOnlyDirectory": func(t *testing.T, path string) { chmod(t, path, 0o644); chmod(t, filepath.Dir(path), 0o555) },
		"ReadOnlyDirectoryWithoutDatabase": func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			chmod(t, filepath.Dir(path), 0o555)
		},
	}
	for name, arrange := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			chmod(t, filepath.Dir(root), 0o755)
			chmod(t, root, 0o755)
			path := filepath.Join(root, "project", "validator.db")
			_ = openAt(t, path).Close()
			chmod(t, filepath.Dir(path), 0o777)
			arrange(t, path)
			out, err := play(t, "open", path).Output()
			if err != nil || string(out) != string(contracts.CodeStoreUnavailable) {
				t.Errorf("code %q (%v), want %q", out, err, contracts.CodeStoreUnavailable)
			}
			chmod(t, filepath.Dir(path), 0o700)
		})
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// A file that another process is making longer has a header that says more pages than there are yet.
func TestInspectAGrowingFile(t *testing.T) {
	path := tempPath(t)
	if err := openAt(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	h, err := (&Store{path: path}).inspect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := (header{applicationID, latestVersion()}); h != want {
		t.Errorf("header %+v, want %+v", h, want)
	}
}

func TestDamagedFile(t *testing.T) {
	path := tempPath(t)
	if err := openAt(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	data := must(os.ReadFile(path))
	for i := 4096; i < len(data); i++ {
		data[i] = 0xff
	}
	write(t, path, data)
	s := openAt(t, path)
	_, err := s.Coverage(t.Context(), "T1")
	wantCode(t, err, contracts.CodeStoreInvalid)
}
