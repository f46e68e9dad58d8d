package secret

import (
	"errors"

	"github.com/zalando/go-keyring"
)

// service is the name our values stand under in the keychain.
const service = "kandev-desktop"

// System is the keychain of this system: Keychain of macOS, the credential
// manager of Windows, the secret service of a Linux desktop.
func System() *Ring {
	return &Ring{
		Get: func(name string) (string, error) {
			value, err := keyring.Get(service, name)
			return value, own(err)
		},
		Set:    func(name, value string) error { return own(keyring.Set(service, name, value)) },
		Delete: func(name string) error { return own(keyring.Delete(service, name)) },
	}
}

func own(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return ErrNotFound
	}
	return err
}
