package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cleocode/cleo-validator/contracts"
)

func TestOpenMakesAPrivateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", ".cleo", "validator.db")
	openAt(t, path)
	for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Dir(filepath.Dir(path)): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestOpenAnyPath(t *testing.T) {
	for _, name := range []string{
		"plain", "with blank", "per%cent", "per%41cent", "quest?ion", "ha#sh", "a&mode=memory", "a;b", "ä ☃", "+", "'", `"`, "new\nline", "a\\b", "[x]",
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			path := filepath.Join(dir, name+".db")
			add(t, openAt(t, path), "T1", 1)
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
			if _, err := openAt(t, path).Task(t.Context(), "T1"); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpenFindsTheSameFile(t *testing.T) {
	path := tempPath(t)
	add(t, openAt(t, path), "T1", 1)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(path))
	for name, path := range map[string]string{"SymbolicLink": link, "Relative": filepath.Base(path)} {
		t.Run(name, func(t *testing.T) {
			s := openAt(t, path)
			if _, err := s.Task(t.Context(), "T1"); err != nil {
				t.Error(err)
			}
			unlock, err := s.LockRun("T1")
			if err != nil {
				t.Fatal(err)
			}
			defer unlock()
			_, err = openAt(t, filepath.Base(s.path)).LockRun("T1")
			wantCode(t, err, contracts.CodeRunBusy)
		})
	}
}

func TestReopenKeepsEverything(t *testing.T) {
	path := tempPath(t)
	s := openAt(t, path)
	task := add(t, s, "T1", 2)
	record(t, s, attest(task, "validator-a", ""))
	before, err := s.Coverage(t.Context(), "T1")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := openAt(t, path).Coverage(t.Context(), "T1")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
}

func TestSettingsOfEveryConnection(t *testing.T) {
	for _, durability := range []Durability{DurabilityFull, DurabilityNormal} {
		t.Run(string(durability), func(t *testing.T) {
			s, err := Open(t.Context(), tempPath(t), Options{Durability: durability})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			synchronous := map[Durability]string{DurabilityFull: "2", DurabilityNormal: "1"}[durability]
			want := map[string]string{"busy_timeout": "10000", "foreign_keys": "1", "journal_mode": "wal", "synchronous": synchronous, "query_only": "0"}
			wantSettings(t, s.writer, want)
			want["query_only"] = "1"
			delete(want, "synchronous") // of no meaning for a reader
			for range readers {
				wantSettings(t, s.reader, want)
			}
		})
	}
}

// wantSettings looks at one connection and keeps it taken, so that the next call looks at another.
func wantSettings(t *testing.T, p *pool, want map[string]string) {
	t.Helper()
	conn, err := p.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	for pragma, value := range want {
		var got string
		if err := conn.QueryRowContext(context.Background(), "PRAGMA "+pragma).Scan(&got); err != nil {
			t.Fatal(err)
		}
		if got != value {
			t.Errorf("%s is %s, want %s", pragma, got, value)
		}
	}
}

func TestReadersCannotWrite(t *testing.T) {
	s := openTemp(t)
	if _, err := s.reader.Exec(`INSERT INTO validator_workers VALUES ('T1', 'a', 'now')`); err == nil {
		t.Error("a reader wrote")
	}
}

func TestOpenRefusesItsOptions(t *testing.T) {
	_, err := Open(t.Context(), "", Options{})
	wantCode(t, err, contracts.CodeInvalidInput)
	path := tempPath(t)
	_, err = Open(t.Context(), path, Options{Durability: "none"})
	wantCode(t, err, contracts.CodeInvalidInput)
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("a refused Open made the directory")
	}
}
