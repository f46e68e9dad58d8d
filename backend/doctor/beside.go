package doctor

import (
	"context"
	"fmt"

	"kandev/backend/proc"
	"kandev/backend/secret"
)

// running looks for an app that has the data folder.
func (o Options) running() Finding {
	f := Finding{ID: "running", Title: "Running", State: OK, Detail: "No app runs with this data folder."}
	version, err := o.Running(o.Home)
	switch pid := o.Holder(o.Home); {
	case err == nil && version == o.Version:
		f.Detail = "Kandev Desktop " + version + " is running with this data folder."
	case err == nil:
		f.State, f.Fix = Note, "Quit it, then start Kandev Desktop again."
		f.Detail = fmt.Sprintf("Kandev Desktop %s is running with this data folder; this program is %s.", version, o.Version)
	case pid != 0:
		return missing(f, fmt.Sprintf("Process %d has the data folder and does not answer.", pid), "End that process, then start Kandev Desktop again.")
	}
	return f
}

// foundAgents looks for the programs of the agents that the app knows. Each is a person's choice: none is needed.
func (o Options) foundAgents() []Finding {
	var out []Finding
	for _, d := range o.agents {
		f := Finding{ID: "agent." + d.ID, Title: d.Name, State: OK}
		switch path, err := o.Find(d.Command); {
		case d.Embedded:
			f.Detail = "It comes with the app."
		case err == nil:
			f.Detail = path + "."
		default:
			f.State, f.Fix = Note, "To use it: "+d.Install
			f.Detail = d.Command + " is not in the PATH of your login shell, nor where nvm, npm and other installers put theirs."
		}
		out = append(out, f)
	}
	return out
}

func (o Options) git() Finding {
	f := Finding{ID: "git", Title: "git", State: OK}
	path, err := proc.LookPath("git", o.Path)
	if err != nil {
		f.State, f.Fix = Note, "Install git."
		f.Detail = "It is not in the PATH of your login shell: sessions cannot work in a worktree of their own."
		return f
	}
	f.Detail = path + "."
	return f
}

func (o Options) keychain(ctx context.Context) Finding {
	f := Finding{ID: "keychain", Title: "Keychain", State: OK, Detail: secret.Keychain.Sentence()}
	if o.Getenv("KANDEV_KEYCHAIN") == "off" {
		f.State, f.Detail = Note, "KANDEV_KEYCHAIN=off: values of headers and environment and secrets of plugins are kept unencrypted in a file that only your user can read."
		f.Fix = "Unset KANDEV_KEYCHAIN, and new values go to the keychain."
		return f
	}
	if o.Keychain(ctx) == secret.File {
		f.State, f.Detail, f.Fix = Note, secret.File.Sentence(), keychainFix(o.goos)
	}
	return f
}

// keychainFix says what usually keeps a keychain from answering.
func keychainFix(goos string) string {
	switch goos {
	case "darwin":
		return "Unlock the login keychain in Keychain Access."
	case "windows":
		return "Start the service Credential Manager (VaultSvc)."
	}
	return "Start a secret service, such as gnome-keyring or KeePassXC, in your desktop session."
}
