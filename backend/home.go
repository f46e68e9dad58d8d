package backend

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// ErrHomeFolder says that no place for the data can be found.
var ErrHomeFolder = errors.New("no place for the data folder: set KANDEV_HOME to one")

// DataFolder is the platform's place for the app's data; KANDEV_HOME overrides.
// On Linux it is a folder of its own below that of the program's name, where
// the web view keeps files too, with modes that are not ours.
func DataFolder(getenv func(string) string) (string, error) {
	if home := getenv("KANDEV_HOME"); home != "" {
		return filepath.Abs(home)
	}
	if runtime.GOOS == "linux" {
		if data := getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
			return filepath.Join(data, "kandev-desktop", "data"), nil
		}
		home, err := os.UserHomeDir()
		if err != nil {
			return "", ErrHomeFolder
		}
		return filepath.Join(home, ".local", "share", "kandev-desktop", "data"), nil
	}
	place := os.UserConfigDir // Application Support on macOS
	if runtime.GOOS == "windows" {
		place = os.UserCacheDir // LocalAppData: data of this machine does not roam
	}
	config, err := place()
	if err != nil {
		return "", ErrHomeFolder
	}
	return filepath.Join(config, "kandev-desktop"), nil
}
