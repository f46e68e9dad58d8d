package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// listen keeps the session's stream of notifications open, whatever session
// that is at the time, until the input ends.
func (b *bridge) listen() {
	wait := b.limits.retry
	renewed := false // the last stream was refused and its session made anew
	var cut *session // whose last stream was cut off
	for b.streaming.Err() == nil {
		s, _ := b.session.get()
		began := time.Now()
		status, broke := b.stream(s, cut == s)
		if broke {
			cut = s
		} else if status == http.StatusOK {
			cut = nil
		}
		never := false
		switch {
		case status == http.StatusOK:
			renewed = false
			if time.Since(began) > time.Second { // it worked: begin again with the short wait
				wait = b.limits.retry
			}
		case status == 0:
			renewed = false
		case status == http.StatusNotFound && !renewed:
			if _, renewed = b.renew(b.streaming, s); renewed {
				continue
			}
		case status != 0 && status < http.StatusInternalServerError:
			never = true // this endpoint offers no stream: not again for this session
		}
		b.rest(s, wait, never)
		wait = min(2*wait, b.limits.retryMost)
	}
}

// rest waits before the next attempt: for a while or, with never, for another
// session. Another session ends every rest.
func (b *bridge) rest(s *session, wait time.Duration, never bool) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	again := timer.C
	if never {
		again = nil
	}
	select {
	case <-s.life.Done():
	case <-again:
	}
}

// stream passes on what one stream brings, and returns its status, 0 when
// there was no response, and whether it was cut off. again: it takes the place
// of one that was; what the endpoint wrote into that at the last moment is
// nowhere, so the client is told that its list may have changed.
func (b *bridge) stream(s *session, again bool) (status int, broke bool) {
	res, err := b.link.stream(s.life, s)
	if err != nil {
		return 0, false
	}
	defer discard(res)
	if res.StatusCode == http.StatusOK {
		if again {
			b.out.write([]byte(listChanged))
		}
		err = messages(res, b.limits.line, func(raw []byte, _ *reply) bool {
			b.out.write(raw)
			return true
		})
	}
	return res.StatusCode, err != nil && s.life.Err() == nil
}

// subscribe is the modern era's stream: a request that is answered only when
// the endpoint ends the subscription in order. When the stream is lost it is
// asked for again, once for each time that it worked; the client hears a
// list_changed in place of a second acknowledgement.
func (b *bridge) subscribe(ctx context.Context, m *message, c *call) {
	for again := false; ; again = true {
		res, err := b.link.post(ctx, m, nil, c.begin)
		if err != nil {
			b.unreachable(ctx, m, err)
			return
		}
		came, answered := b.feed(res, m, again)
		discard(res)
		switch {
		case answered || ctx.Err() != nil:
			return
		case !came:
			b.out.write(errorMessage(m.id, codeUnreachable, unanswered(res, nil)))
			return
		}
		pause := time.NewTimer(b.limits.retry)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return
		}
	}
}

// feed passes on one stream of a subscription: whether anything came, and
// whether the answer did.
func (b *bridge) feed(res *http.Response, m *message, again bool) (came, answered bool) {
	_ = messages(res, b.limits.line, func(raw []byte, r *reply) bool { // it is opened again, however it ended
		came = true
		switch {
		case r.answers(m.id):
			answered = true
		case r.unnamed():
			raw, answered = errorAnswer(m.id, r.Error), true
		case again && r.Method != nil && *r.Method == methodAck:
			if raw = missed(r); raw == nil {
				return true
			}
		}
		b.out.write(raw)
		return true
	})
	return came, answered
}

// missed makes a list_changed for a subscription that may have lost one, from
// its acknowledgement; nil when it does not ask for that.
func missed(ack *reply) []byte {
	var params struct {
		Meta          json.RawMessage `json:"_meta"`
		Notifications struct {
			Tools bool `json:"toolsListChanged"`
		} `json:"notifications"`
	}
	if json.Unmarshal(ack.Params, &params) != nil || !params.Notifications.Tools {
		return nil
	}
	if params.Meta == nil {
		params.Meta = json.RawMessage("{}")
	}
	return oneLine(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"%s","params":{"_meta":%s}}`, methodListChanged, params.Meta))
}
