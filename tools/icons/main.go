// Command icons draws build/icon/icon.svg in every form that a system wants: PNG for Linux and the window, ICO for
// Windows, ICNS for macOS. Its files are committed, so that a build needs no renderer; `make icons-drift` fails when
// they are not what this writes.
//
//	go -C tools run ./icons ../build/icon
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"github.com/tc-hib/winres"
)

// name is what desktops know the icon by.
const name = "kandev-desktop"

// Sizes in pixels: those of the hicolor theme that desktops look for, and those of a Windows icon.
var (
	pngSizes = []int{16, 22, 24, 32, 48, 64, 128, 256, 512}
	icoSizes = []int{16, 24, 32, 48, 64, 256}
)

// icnsTypes are the entries of an ICNS file that hold PNG, with their sizes in pixels. The second of a pair is for
// screens of double density.
var icnsTypes = []struct {
	kind string
	size int
}{
	{"icp4", 16},
	{"ic11", 32},
	{"icp5", 32},
	{"ic12", 64},
	{"ic07", 128},
	{"ic13", 256},
	{"ic08", 256},
	{"ic14", 512},
	{"ic09", 512},
	{"ic10", 1024},
}

// macShare is how much of the square an icon fills on macOS: 824 of 1024 in Apple's template.
const macShare = 824.0 / 1024

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: icons FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "icons:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	source, err := os.ReadFile(filepath.Join(dir, "icon.svg"))
	if err != nil {
		return err
	}
	for _, size := range pngSizes {
		content, err := pngOf(source, size, 1)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, size)), content, 0o644); err != nil {
			return err
		}
	}
	ico, err := icoOf(source)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".ico"), ico, 0o644); err != nil {
		return err
	}
	icns, err := icnsOf(source)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".icns"), icns, 0o644)
}

// draw renders the source in the middle of a square; share is how much of it the drawing fills.
func draw(source []byte, size int, share float64) (*image.NRGBA, error) {
	icon, err := oksvg.ReadIconStream(bytes.NewReader(source), oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("read icon.svg: %w", err)
	}
	side := float64(size) * share
	margin := (float64(size) - side) / 2
	icon.SetTarget(margin, margin, side, side)
	canvas := image.NewRGBA(image.Rect(0, 0, size, size))
	scanner := rasterx.NewScannerGV(size, size, canvas, canvas.Bounds())
	icon.Draw(rasterx.NewDasher(size, size, scanner), 1)
	// Straight alpha: what PNG stores, and what every reader of icons expects.
	straight := image.NewNRGBA(canvas.Bounds())
	for y := range size {
		for x := range size {
			straight.Set(x, y, canvas.At(x, y))
		}
	}
	return straight, nil
}

func pngOf(source []byte, size int, share float64) ([]byte, error) {
	drawn, err := draw(source, size, share)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, drawn)
	return out.Bytes(), err
}

func icoOf(source []byte) ([]byte, error) {
	var images []image.Image
	for _, size := range icoSizes {
		drawn, err := draw(source, size, 1)
		if err != nil {
			return nil, err
		}
		images = append(images, drawn)
	}
	icon, err := winres.NewIconFromImages(images)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = icon.SaveICO(&out)
	return out.Bytes(), err
}

// icnsOf is the container of macOS: a magic word and the length of the whole, then entries of a type, a length and
// a PNG. Lengths count their own eight bytes and are big-endian.
func icnsOf(source []byte) ([]byte, error) {
	var entries bytes.Buffer
	for _, t := range icnsTypes {
		content, err := pngOf(source, t.size, macShare)
		if err != nil {
			return nil, err
		}
		entries.WriteString(t.kind)
		entries.Write(binary.BigEndian.AppendUint32(nil, uint32(len(content)+8)))
		entries.Write(content)
	}
	out := append([]byte("icns"), binary.BigEndian.AppendUint32(nil, uint32(entries.Len()+8))...)
	return append(out, entries.Bytes()...), nil
}
