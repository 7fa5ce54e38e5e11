package runtime

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/google/uuid"
)

// newUUID returns a random UUID (version 4). Ids of runs and Validators must not collide, but are no secrets, so the
// runtime's generator, which is seeded by the operating system, is enough.
func newUUID() string {
	var id uuid.UUID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}
