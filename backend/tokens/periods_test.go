//go:build !race

package tokens

import (
	"strings"
	"testing"
	"time"
)

// The race detector makes these slow, and there is nothing for it to find.

// periods calls visit with every text that repeats 1 to 3 of these symbols.
func periods(size int, visit func(period string, text []byte)) {
	symbols := []string{
		"a", "Z", "s", "7", " ", "\n", "\r", "\t", "'", `"`, "/", "!", "\u0085", "\u00a0", "漢", "\u0301", "\x7f", "\ufffd",
	}
	all := append([]string{""}, symbols...)
	for _, a := range symbols {
		for _, b := range all {
			for _, c := range all {
				period := a + b + c
				visit(period, []byte(strings.Repeat(period, size/len(period))))
			}
		}
	}
}

// The windows of all periods agree at the first size, so that merging takes
// the same time for each byte.
func TestPeriodsNeedOneSizeOfWindow(t *testing.T) {
	v := newCounter(t).vocabulary
	var w window
	giant := 0
	periods(2*windowSize, func(period string, text []byte) {
		for i, end := 0, 0; i < len(text); i = end {
			end = v.next(text, i)
			if end-i <= windowSize {
				continue
			}
			giant++
			if _, agree := w.countBy(v, text[i:end], windowSize, overlap); !agree {
				t.Errorf("%q: the windows disagree", period)
			}
		}
	})
	t.Logf("%d giant pieces", giant)
}

// No period makes the splitter look at a byte again and again.
func TestPeriodsSplitInLinearTime(t *testing.T) {
	v := newCounter(t).vocabulary
	perByte := func(text []byte) float64 {
		start := time.Now()
		for i := 0; i < len(text); {
			i = v.next(text, i)
		}
		return float64(time.Since(start)) / float64(len(text))
	}
	periods(32<<10, func(period string, text []byte) {
		few, many := 1e9, 1e9
		for range 40 { // others may have had the processor; best of all
			few, many = min(few, perByte(text[:len(text)/16])), min(many, perByte(text))
			if many < 4*few {
				return
			}
		}
		t.Errorf("%q: 16 times the length takes %.0f times as long", period, 16*many/few)
	})
}
