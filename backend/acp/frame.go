package acp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// frameReader cuts a byte stream into lines. A frame may come in any pieces;
// the last one may lack its line end.
type frameReader struct {
	r   *bufio.Reader
	max int
	buf []byte
	err error // how the stream ended, told after the last line
}

// next returns a line without its end, valid until the following call. For a
// line longer than max, over is its full length and line only its head. The
// error is the stream's, never together with a line; a line that another error
// than io.EOF cut off is not returned.
func (f *frameReader) next() (line []byte, over int64, err error) {
	if cap(f.buf) > maxKept {
		f.buf = nil
	}
	f.buf = f.buf[:0]
	var length int64
	for f.err == nil {
		part, err := f.r.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		f.add(part, length)
		length += int64(len(part))
		switch {
		case err == nil:
			return f.finish(length)
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			f.err = err
			if errors.Is(err, io.EOF) && length > 0 {
				return f.finish(length)
			}
		}
	}
	return nil, 0, f.err
}

// add keeps what fits of a line of which length bytes came before. Of a line
// that is too long only the head stays, so that it costs no memory.
func (f *frameReader) add(part []byte, length int64) {
	room := int64(f.max) + 1 - length // one more for a CR
	if room < 0 {
		return
	}
	f.buf = append(f.buf, part[:min(int64(len(part)), room)]...)
	if int64(len(part)) > room && cap(f.buf) > maxKept {
		f.buf = bytes.Clone(f.buf[:maxHead])
	}
}

func (f *frameReader) finish(length int64) ([]byte, int64, error) {
	line := f.buf
	if int64(len(line)) == length && bytes.HasSuffix(line, []byte("\r")) {
		line, length = line[:len(line)-1], length-1
	}
	if length > int64(f.max) {
		return line[:min(len(line), maxHead)], length, nil
	}
	return line, 0, nil
}

// parseEnvelope reads the JSON-RPC message at the start of line and returns
// what follows it. false: the line does not start with one. "jsonrpc" is
// demanded, so that an agent's JSON log lines are never taken for answers.
func parseEnvelope(line []byte) (e envelope, rest []byte, ok bool) {
	if len(line) == 0 || line[0] != '{' {
		return envelope{}, line, false
	}
	var o object
	if json.Unmarshal(line, &o) != nil {
		o = nil
		d := json.NewDecoder(bytes.NewReader(line))
		if d.Decode(&o) != nil {
			return envelope{}, line, false
		}
		rest = line[d.InputOffset():]
	}
	e = envelope{id: o["id"], method: o.text("method"), params: o["params"], result: o["result"], err: o["error"]}
	_, named := o["method"]
	switch {
	case o.text("jsonrpc") != "2.0":
		return envelope{}, line, false
	case named:
		return e, rest, e.method != ""
	default:
		return e, rest, e.id != nil
	}
}

// sniff finds id and method in the head of a frame that was too long to read,
// as far as they stand before the long member. method is "" for an answer.
func sniff(head []byte) (id json.RawMessage, method string) {
	d := json.NewDecoder(bytes.NewReader(cutControl(head)))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, ""
	}
	for {
		key, err := d.Token()
		if err != nil {
			return id, method
		}
		switch key {
		case "id":
			if d.Decode(&id) != nil {
				return nil, method
			}
		case "method":
			if d.Decode(&method) != nil {
				return nil, ""
			}
		case "jsonrpc":
			if _, err := d.Token(); err != nil {
				return nil, ""
			}
		case "result", "error":
			return id, method
		default: // params, or anything else: an id without a method may be a request
			if method == "" {
				return nil, ""
			}
			return id, method
		}
	}
}
