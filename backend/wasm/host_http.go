package wasm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

var httpFuncs = []hostFunc{
	{"http_request", "ll", "l", func(ctx context.Context, c *call, s []uint64) { s[0] = c.request(ctx, s[0], s[1]) }},
	{"http_status_code", "", "i", func(_ context.Context, c *call, s []uint64) { s[0] = uint64(c.httpStatus) }},
	{"http_headers", "", "l", func(_ context.Context, c *call, s []uint64) { s[0] = c.httpHeaders }},
}

// wanted is Extism's form of a request.
type wanted struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
}

// request does one HTTP request for the module and returns the block with the
// body. What is not granted ends the call, as Extism hosts do.
func (c *call) request(ctx context.Context, about, body uint64) uint64 {
	c.httpStatus, c.httpHeaders = 0, 0
	if c.client == nil {
		refuse("it may not use the network while it only describes itself")
	}
	if c.requests++; c.requests > maxRequests {
		refuse("more than %d HTTP requests in one call", maxRequests)
	}
	var w wanted
	if err := json.Unmarshal(c.block(about), &w); err != nil {
		refuse("its HTTP request is not valid JSON")
	}
	u, err := url.Parse(w.URL)
	if err != nil {
		refuse("its HTTP request has no valid address")
	}
	if err := c.gate.allowed(u); err != nil {
		refuse("%s", err)
	}
	payload := c.block(body)
	if len(payload) > maxHTTPBody {
		refuse("its HTTP request has more than %d MiB", maxHTTPBody>>20)
	}
	r, err := http.NewRequestWithContext(ctx, method(w.Method), u.String(), bytes.NewReader(bytes.Clone(payload)))
	if err != nil {
		refuse("its HTTP request has no valid method or address")
	}
	for name, value := range w.Headers {
		r.Header.Set(name, value)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		refuseWaiting("HTTP request failed: %s", reason(err))
	}
	defer answer.Body.Close()
	return c.answer(answer)
}

// answer bounds what came back, after any decompression.
func (c *call) answer(answer *http.Response) uint64 {
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxHTTPBody+1))
	if err != nil {
		refuseWaiting("HTTP request failed: the answer broke off")
	}
	if len(data) > maxHTTPBody {
		refuse("HTTP request failed: the answer has more than %d MiB", maxHTTPBody>>20)
	}
	headers := map[string]string{}
	for name, values := range answer.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ",")
	}
	if raw, err := json.Marshal(headers); err == nil {
		c.httpHeaders = c.put(raw)
	}
	c.httpStatus = answer.StatusCode
	return c.put(data)
}

func method(m string) string {
	m = strings.ToUpper(m)
	switch m {
	case "":
		return http.MethodGet
	case http.MethodConnect, http.MethodTrace:
		refuse("the HTTP method %s is not allowed", m)
	}
	return m
}

// reason drops the address that the HTTP client puts in front: its query may
// hold a key.
func reason(err error) string {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return err.Error()
}
