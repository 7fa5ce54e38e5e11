package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/cleocode/cleo-validator/contracts"
)

// evaluateFiles reads every file through a root at the worktree, so that no path and no link leads out of it.
func evaluateFiles(ctx context.Context, site Site, atom Atom) (Result, error) {
	root, err := os.OpenRoot(site.Dir)
	if err != nil {
		return Result{}, asFault(ctx, contracts.FaultUnreachable, "opening the worktree", err)
	}
	defer root.Close()
	result := Result{Kind: atom.Kind, Payload: atom.Payload, Files: map[string]string{}}
	var missing []string
	for _, path := range splitPaths(atom.Payload) {
		sum, err := hashFile(ctx, root, path)
		if err != nil {
			if ctx.Err() != nil || isOurTrouble(err) {
				return Result{}, asFault(ctx, contracts.FaultUnreachable, "reading "+path, err)
			}
			missing = append(missing, path+": "+claimFailure(err))
			continue
		}
		result.Files[path] = sum
	}
	result.OK = len(missing) == 0
	result.Reason = fmt.Sprintf("%d of the worktree's files are there and were hashed", len(result.Files))
	if !result.OK {
		result.Reason = strings.Join(missing, "; ")
	}
	return result, nil
}

// The ways in which a path names no file of the worktree.
var (
	errOutside    = errors.New("is not a path inside the worktree")
	errNotRegular = errors.New("is not a plain file")
)

// hashFile returns the SHA-256 of a plain file. It does not wait for a pipe that stands in its place.
func hashFile(ctx context.Context, root *os.Root, path string) (string, error) {
	if !filepath.IsLocal(path) || slices.Contains(strings.Split(filepath.ToSlash(path), "/"), "..") {
		return "", errOutside
	}
	file, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errNotRegular
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, cancellable{ctx, file}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// cancellable ends the reading of a large file with its context.
type cancellable struct {
	ctx context.Context
	io.Reader
}

func (r cancellable) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.Reader.Read(p)
}

// isOurTrouble tells an error of the machine from a path that names nothing inside the worktree. A link that leads
// out has no error number: the root refuses it before the kernel sees it.
func isOurTrouble(err error) bool {
	number, ok := errors.AsType[syscall.Errno](err)
	if !ok {
		return false
	}
	claims := []syscall.Errno{
		syscall.ENOENT, syscall.ENOTDIR, syscall.EISDIR, syscall.ELOOP, syscall.ENAMETOOLONG, syscall.EINVAL, syscall.ENXIO,
	}
	return !slices.Contains(claims, number)
}

// claimFailure says in a few words why a path is not what was claimed.
func claimFailure(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "does not exist"
	}
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}
