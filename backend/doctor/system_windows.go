package doctor

import (
	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// freeBytes is what this user may still write to the disk that holds dir.
func freeBytes(dir string) (uint64, error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}

// webView2Client is the key that the WebView2 runtime registers itself under, for the machine or for the user; from
// Microsoft's page about its distribution.
const webView2Client = `Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}`

// webView2Version is that of the installed runtime, "" when there is none.
func webView2Version() string {
	for _, place := range []struct {
		root registry.Key
		path string
	}{
		{registry.LOCAL_MACHINE, `SOFTWARE\WOW6432Node\` + webView2Client},
		{registry.LOCAL_MACHINE, `SOFTWARE\` + webView2Client},
		{registry.CURRENT_USER, `Software\` + webView2Client},
	} {
		key, err := registry.OpenKey(place.root, place.path, registry.QUERY_VALUE)
		if err != nil {
			continue
		}
		version, _, err := key.GetStringValue("pv")
		_ = key.Close()
		if err == nil && version != "" && version != "0.0.0.0" {
			return version
		}
	}
	return ""
}
