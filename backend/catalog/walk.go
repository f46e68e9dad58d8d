package catalog

import (
	"iter"
)

// The walkers read compact, valid JSON only: Compact has checked it before.

// elements yields the elements of an array; none for another value.
func elements(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if len(array) == 0 || array[0] != '[' {
			return
		}
		for i := 1; i < len(array)-1; i++ { // i++ steps over the comma
			end := valueEnd(array, i)
			if !yield(array[i:end:end]) {
				return
			}
			i = end
		}
	}
}

// members yields the members of an object in order, duplicates included, with
// decoded keys; none for another value.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if len(object) == 0 || object[0] != '{' {
			return
		}
		for i := 1; i < len(object)-1; i++ {
			colon := valueEnd(object, i)
			key, _ := text(object[i:colon])
			end := valueEnd(object, colon+1)
			if !yield(key, object[colon+1:end:end]) {
				return
			}
			i = end
		}
	}
}

// member is the value of the last member with that key, nil without one.
func member(object []byte, key string) (found []byte) {
	for k, value := range members(object) {
		if k == key {
			found = value
		}
	}
	return found
}

// valueEnd is the index after the value that starts at i.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the end of the container around a scalar
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return i
}

// stringEnd is the index after the string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return i
}
