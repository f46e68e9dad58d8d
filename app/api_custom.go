package app

import "context"

// CheckCommand answers a command line as Kandev takes it apart, and whether its
// program is here. It runs nothing.
func (a *API) CheckCommand(token, line string) (CommandCheck, error) {
	return enter(a.w.door, token, "CheckCommand", func() (CommandCheck, error) {
		check, err := a.w.backend.CheckCommand(a.w.ctx, line)
		return CommandCheck{Words: append([]string{}, check.Words...), Path: check.Path, Why: check.Why}, err
	})
}

// SaveCustomAgent keeps an agent of the person's own and answers its id.
func (a *API) SaveCustomAgent(token string, c CustomChange) (string, error) {
	return enter(a.w.door, token, "SaveCustomAgent", func() (string, error) {
		return a.w.backend.SaveCustomAgent(a.w.ctx, customOf(c))
	})
}

// DeleteCustomAgent forgets an agent of the person's own, its values and servers.
func (a *API) DeleteCustomAgent(token, id string) error {
	return a.do(token, "DeleteCustomAgent", func(ctx context.Context) error { return a.w.backend.DeleteCustomAgent(ctx, id) })
}

// ValuesPlace answers where values of headers and environment are kept.
func (a *API) ValuesPlace(token string) (ValuesPlace, error) {
	return enter(a.w.door, token, "ValuesPlace", func() (ValuesPlace, error) {
		place := a.w.backend.SecretPlace(a.w.ctx)
		return ValuesPlace{Encrypted: place.Encrypted(), Place: place.Sentence()}, nil
	})
}
