package tokens

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Texts are made of what is hard: parts of definitions, tokens of the
// vocabulary, characters that Go's tables do not class as the reference does,
// white space, what the pattern names, and bytes that are not UTF-8.
type mixer struct {
	random *rand.Rand
	texts  []string
}

func (m *mixer) one(all ...string) string { return all[m.random.IntN(len(all))] }

func (m *mixer) part(kind int) string {
	switch kind % 7 {
	case 0:
		text := m.one(m.texts...)
		from := m.random.IntN(len(text) + 1)
		return text[from:min(len(text), from+m.random.IntN(80))]
	case 1:
		return m.one(moduleTokens()...)
	case 2:
		return string(newCharacters()[m.random.IntN(len(newCharacters()))])
	case 3:
		return m.one(" ", "  ", "\n", "\r\n", "\t", "\u0085", "\u00a0", "\u2028", "\u3000", "\ufeff")
	case 4:
		return m.one("'s", "'LL", "'ſ", "A", "a", "字", "ʰ", "ǅ", "\u0301", "7", "½", "/", "!", "\x7f", "😀", "\ufffd")
	case 5:
		return strings.Repeat(m.part(m.random.IntN(5)), 1+m.random.IntN(70))
	}
	return string([]byte{byte(0x80 + m.random.IntN(0x80)), byte(m.random.IntN(0x100))}[:1+m.random.IntN(2)])
}

// mutate changes text in a few places: something is put in, left out or doubled.
func (m *mixer) mutate(text string, kinds []int) string {
	for range 1 + m.random.IntN(4) {
		at := m.random.IntN(len(text) + 1)
		end := min(len(text), at+m.random.IntN(9))
		switch m.random.IntN(3) {
		case 0:
			text = text[:at] + m.part(kinds[m.random.IntN(len(kinds))]) + text[at:]
		case 1:
			text = text[:at] + text[end:]
		case 2:
			text = text[:end] + text[at:]
		}
	}
	return text
}

// text is one text of up to some kilobytes, a definition or a mixture. It uses
// few kinds of parts, so that many are not left out of the comparison with the
// module.
func (m *mixer) text() string {
	kinds := make([]int, 1+m.random.IntN(3))
	for i := range kinds {
		kinds[i] = m.random.IntN(7)
	}
	if m.random.IntN(4) == 0 {
		text := m.one(m.texts...)
		return m.mutate(text[:min(len(text), 2000)], kinds)
	}
	var b strings.Builder
	for range 1 + m.random.IntN(12) {
		b.WriteString(m.part(kinds[m.random.IntN(len(kinds))]))
	}
	return m.mutate(b.String(), kinds)
}

// FuzzCount compares the text that was given, and one mixed from the seed,
// with the module and with the slow reference.
func FuzzCount(f *testing.F) {
	vectors := readLines(f, filepath.Join("testdata", "vectors.jsonl"))
	texts := make([]string, len(vectors))
	for i, v := range vectors {
		texts[i] = v.Text + `{"type":"string","description":"one of the rows"}`
		f.Add([]byte(v.Text), uint64(i))
	}
	for _, name := range []string{"tavily-mcp.jsonl", "notionhq_notion-mcp-server.jsonl", "antv_mcp-server-chart.jsonl"} {
		file := filepath.Join(sharedFolder(), "tools", name)
		if _, err := os.Stat(file); err != nil {
			continue
		}
		for _, v := range readLines(f, file) {
			texts = append(texts, v.JSON)
		}
	}
	for seed := range uint64(100) {
		f.Add([]byte("x"), 1000+seed)
	}
	c := newCounter(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		const most = 3 * windowSize
		before := bytes.Clone(data)
		check(t, c, string(data[:min(len(data), most)]))
		if !bytes.Equal(data, before) {
			t.Error("the bytes were changed")
		}
		m := mixer{rand.New(rand.NewPCG(seed, 5)), append(slices.Clip(texts), string(data))}
		text := m.text()
		check(t, c, text[:min(len(text), most)])
	})
}
