// Command syso writes the resources of the Windows program: icon, manifest, version. The go command links every
// *_windows_ARCH.syso that lies in the folder of package main.
//
//	go -C tools run ./syso 1.2.3-rc.1 amd64 ../build ../rsrc_windows_amd64.syso
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tc-hib/winres"
	"github.com/tc-hib/winres/version"
)

// iconID is the resource that Wails v2 takes the window's icon from.
const iconID = winres.ID(3)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: syso VERSION ARCH BUILD-FOLDER FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1], winres.Arch(os.Args[2]), os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "syso:", err)
		os.Exit(1)
	}
}

func run(release string, arch winres.Arch, build, file string) error {
	var set winres.ResourceSet
	ico, err := os.Open(filepath.Join(build, "icon", "kandev-desktop.ico"))
	if err != nil {
		return err
	}
	defer ico.Close()
	icon, err := winres.LoadICO(ico)
	if err != nil {
		return err
	}
	if err := set.SetIcon(iconID, icon); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(build, "windows", "app.manifest"))
	if err != nil {
		return err
	}
	manifest, err := winres.AppManifestFromXML(text)
	if err != nil {
		return err
	}
	set.SetManifest(manifest)
	info, err := versionInfo(release)
	if err != nil {
		return err
	}
	set.SetVersionInfo(info)
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	return set.WriteObject(out, arch)
}

// versionInfo is what the properties of the file show.
func versionInfo(release string) (version.Info, error) {
	var info version.Info
	numbers, _, _ := strings.Cut(release, "-") // the four numbers of Windows know no pre-release
	info.SetFileVersion(numbers)
	info.SetProductVersion(numbers)
	for key, value := range map[string]string{
		version.ProductName:      "Kandev Desktop",
		version.FileDescription:  "Kandev Desktop",
		version.CompanyName:      "Kandev Desktop contributors",
		version.LegalCopyright:   "MIT licence",
		version.OriginalFilename: "kandev-desktop.exe",
		version.ProductVersion:   release,
	} {
		if err := info.Set(version.LangNeutral, key, value); err != nil {
			return info, err
		}
	}
	return info, nil
}
