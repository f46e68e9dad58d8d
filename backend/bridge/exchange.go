package bridge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// What a client, and so a model, is told when the endpoint does not answer.
const (
	textGone     = "Kandev cannot be reached: it was closed, or this session was restarted. Nothing was done. If it comes back, a later request works again."
	textCut      = "The connection to Kandev ended before the answer came. The request may have been carried out."
	textTooLarge = "The answer of Kandev is larger than 64 MiB."
	textNotJSON  = "The answer of Kandev could not be read."
	textRefused  = "Kandev refused this session's access (HTTP %d): KANDEV_MCP_TOKEN is missing or belongs to another session."
	textStatus   = "Kandev did not answer this request (HTTP %d)."
)

// exchange posts a request and passes on all that comes back.
func (b *bridge) exchange(ctx context.Context, m *message, c *call) {
	res, err := b.send(ctx, m, c)
	if err != nil {
		b.unreachable(ctx, m, err)
		return
	}
	defer discard(res)
	b.pass(ctx, res, m, nil)
}

// send posts a request. A session that the endpoint has forgotten is made anew
// and the request sent once more.
func (b *bridge) send(ctx context.Context, m *message, c *call) (*http.Response, error) {
	used, _ := b.session.get()
	res, err := b.link.post(ctx, m, used, c.begin)
	if err != nil || res.StatusCode != http.StatusNotFound || m.modern() {
		return res, err
	}
	fresh, ok := b.renew(ctx, used)
	if !ok {
		return res, nil
	}
	discard(res)
	return b.link.post(ctx, m, fresh, c.begin)
}

// pass writes every message of a response. A request that has no answer in it
// gets an error, unless ctx was cancelled: then nobody waits for one. look,
// which may be nil, sees each message before the client does.
func (b *bridge) pass(ctx context.Context, res *http.Response, m *message, look func(*reply) (more bool)) {
	answered := false
	err := messages(res, b.limits.line, func(raw []byte, r *reply) (more bool) {
		more = look == nil || look(r)
		switch {
		case r.answers(m.id):
			answered = true
		case r.unnamed():
			raw, answered = errorAnswer(m.id, r.Error), true
			if res.StatusCode == http.StatusNotFound {
				raw = errorMessage(m.id, codeUnreachable, textGone) // the session, twice in a row
			}
		}
		b.out.write(raw)
		return more
	})
	if !answered && !errors.Is(ctx.Err(), context.Canceled) {
		b.out.write(errorMessage(m.id, codeUnreachable, unanswered(res, err)))
	}
}

// unanswered says why a response held no answer.
func unanswered(res *http.Response, err error) string {
	switch {
	case errors.Is(err, errTooLarge):
		return textTooLarge
	case errors.Is(err, errNotJSON):
		return textNotJSON
	case res.StatusCode == http.StatusNotFound:
		return textGone
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		return fmt.Sprintf(textRefused, res.StatusCode)
	case res.StatusCode == http.StatusOK:
		return textCut
	}
	return fmt.Sprintf(textStatus, res.StatusCode)
}

// unreachable answers a request that got no response, unless its client
// cancelled it or left.
func (b *bridge) unreachable(ctx context.Context, m *message, err error) {
	if errors.Is(ctx.Err(), context.Canceled) {
		return
	}
	text := textCut
	if isDial(err) {
		text = textGone
	}
	b.out.write(errorMessage(m.id, codeUnreachable, text))
}

// notify posts what has no answer: nothing overtakes it.
func (b *bridge) notify(m *message) {
	ctx, cancel := context.WithTimeout(b.life, b.limits.notify)
	defer cancel()
	s, _ := b.session.get()
	if res, err := b.link.post(ctx, m, s, nil); err == nil {
		discard(res)
	}
	if m.method == methodInitialized && !b.listening {
		b.listening = true
		b.streams.Go(b.listen)
	}
}

// cancel ends a request. In the modern era closing its response is the
// cancellation. Before, the notification is, sent after the request so that it
// finds it; a call that goes on nevertheless loses its response a little later.
func (b *bridge) cancel(m *message) {
	c := b.pending.find(m.params["requestId"])
	if c != nil && c.modern {
		c.cancel()
		return
	}
	if c != nil {
		sent := time.NewTimer(b.limits.cancel)
		defer sent.Stop()
		select {
		case <-c.begun:
		case <-sent.C:
		case <-b.life.Done():
		}
	}
	if s, _ := b.session.get(); s.id != "" || s.version != "" {
		b.notify(m)
	}
	if c != nil {
		time.AfterFunc(b.limits.cancel, c.cancel) // harmless when it has ended
	}
}
