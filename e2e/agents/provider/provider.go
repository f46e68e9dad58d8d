package provider

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// maxBody bounds one request; agents send their whole history each time.
const maxBody = 64 << 20

// Model is the name of the model that every agent is told to use.
const Model = "fake-model"

type object = map[string]any

// Provider listens on loopback. Safe for concurrent use; Close ends it.
type Provider struct {
	http   *http.Server
	url    string
	served chan struct{}

	mu       sync.Mutex
	requests []Request
	unknown  []string
}

// Listen opens a free port of 127.0.0.1.
func Listen() (*Provider, error) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("provider: %w", err)
	}
	p := &Provider{url: "http://" + ln.Addr().String(), served: make(chan struct{})}
	p.http = &http.Server{Handler: p}
	go func() {
		defer close(p.served)
		_ = p.http.Serve(ln) // Close ends it
	}()
	return p, nil
}

// URL is the address without a path.
func (p *Provider) URL() string { return p.url }

// Close ends the listener and every stream.
func (p *Provider) Close() error {
	err := p.http.Close()
	<-p.served
	return err
}

// Requests returns the model requests so far, oldest first.
func (p *Provider) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Unknown returns what was asked for and is no model request that we know.
func (p *Provider) Unknown() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.unknown)
}

// dialect is one wire format.
type dialect struct {
	name  string
	read  func(body []byte) (Request, error)
	write func(w *stream, q Request, r Reply)
}

// dialectOf tells the format by the end of the path, which clients keep
// whatever base address they were given.
func dialectOf(path string) (dialect, bool) {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return dialect{"chat completions", readChat, writeChat}, true
	case strings.HasSuffix(path, "/responses"):
		return dialect{"responses", readResponses, writeResponses}, true
	case strings.HasSuffix(path, "/messages"):
		return dialect{"messages", readAnthropic, writeAnthropic}, true
	case strings.HasSuffix(path, "/chat-stream"):
		return dialect{"chat-stream", readAugment, writeAugment}, true
	case strings.HasSuffix(path, ":generateContent"), strings.HasSuffix(path, ":streamGenerateContent"):
		return dialect{"generateContent", readGemini, writeGemini}, true
	}
	return dialect{}, false
}

// ServeHTTP answers one request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := bodyOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d, ok := dialectOf(r.URL.Path)
	if !ok || r.Method != http.MethodPost {
		p.other(w, r, body)
		return
	}
	q, err := d.read(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	sum := sha256.Sum256(body)
	q.ID, q.Dialect, q.Path, q.Header, q.Body = hex.EncodeToString(sum[:8]), d.name, r.URL.Path, r.Header, body
	p.mu.Lock()
	p.requests = append(p.requests, q)
	p.mu.Unlock()
	d.write(&stream{w: w, path: r.URL.Path}, q, answer(q))
}

// other answers what clients ask beside the model: a list of models, a count of
// tokens. Anything else is noted and not found.
func (p *Provider) other(w http.ResponseWriter, r *http.Request, body []byte) {
	path := r.URL.Path
	switch {
	case strings.HasSuffix(path, "/count_tokens"), strings.HasSuffix(path, ":countTokens"):
		writeJSON(w, object{"input_tokens": 10, "totalTokens": 10})
	case strings.HasSuffix(path, "/models"):
		model := object{"id": Model, "object": "model", "created": 1, "owned_by": "fake", "type": "model", "display_name": "Fake"}
		writeJSON(w, object{"object": "list", "data": []any{model}, "models": []any{}, "has_more": false})
	default:
		p.mu.Lock()
		p.unknown = append(p.unknown, fmt.Sprintf("%s %s %.200s", r.Method, path, body))
		p.mu.Unlock()
		w.WriteHeader(http.StatusNotFound)
		writeJSON(w, object{"error": object{"message": "not found", "type": "not_found_error"}})
	}
}

func bodyOf(r *http.Request) ([]byte, error) {
	var in io.Reader = r.Body
	switch encoding := r.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
	case "gzip":
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, err
		}
		in = unzipped
	default:
		return nil, errors.New("content encoding " + encoding + " is not known")
	}
	return io.ReadAll(io.LimitReader(in, maxBody))
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a client that is gone needs no answer
}
