package tokens

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"sync"
)

const (
	tokenCount = 199_998 // of o200k_base; the ids, which are the ranks, begin at 0
	longest    = 128     // bytes of a token
	none       = ^uint32(0)
)

// mergeList is the vocabulary as the merges that make it, in the order of the
// ids: the 256 single bytes, then for each token the ids of the two tokens
// that it is joined from, as uvarints. Tests check it against the published
// SHA-256 of the vocabulary and against the module it is made from.
//
// Each token has exactly one such pair, which is why no bytes are needed: as
// long as no merge crosses the ends of a token's bytes, what happens between
// them is what happens when they are merged alone, and that comes to one last
// pair. A token that does not come out of its own bytes could not be counted so;
// o200k_base has none, or the list could not be made.
//
//go:generate go test -run ^Test(MergeList|ClassRanges)$ -update .
//go:embed merges.bin
var mergeList []byte

var errMerges = errors.New("malformed list of merges")

// vocabulary is only read once it is loaded; what else a count needs is its own
// while it runs.
type vocabulary struct {
	classes
	single [256]uint32     // the token of each byte
	double [1 << 16]uint32 // the token of each two bytes, none if they are two
	merges mergeTable      // the tokens of three bytes and more

	scratch sync.Pool // of *scratch
}

// load reads the vocabulary. An error says that the data are not ours.
func (v *vocabulary) load(merges []byte, ranges string) error {
	if err := v.classes.read(ranges); err != nil {
		return err
	}
	if len(merges) < 256 {
		return errMerges
	}
	bytes := merges[:256]
	for id, b := range bytes {
		v.single[b] = uint32(id)
	}
	for i := range v.double {
		v.double[i] = none
	}
	var batch mergeBatch
	merges = merges[256:]
	for id := uint64(256); id < tokenCount; id++ {
		left, n := binary.Uvarint(merges)
		right, m := binary.Uvarint(merges[max(n, 0):])
		if n <= 0 || m <= 0 || left >= id || right >= id {
			return errMerges
		}
		merges = merges[n+m:]
		if left < 256 && right < 256 {
			v.double[int(bytes[left])<<8|int(bytes[right])] = uint32(id)
			continue
		}
		batch.add(&v.merges, pairOf(uint32(left), uint32(right)), uint32(id))
	}
	batch.flush(&v.merges)
	if len(merges) > 0 {
		return errMerges
	}
	return nil
}

// join returns the token that two adjacent ones make, or none.
func (v *vocabulary) join(left, right uint32) uint32 {
	return v.merges.get(pairOf(left, right))
}
