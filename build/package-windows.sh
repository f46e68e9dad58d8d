#!/usr/bin/env bash
# Builds the Windows program and its installer, on any system with Go and NSIS: VERSION=1.2.3 build/package-windows.sh FOLDER
#
# SIGN names a program that signs the file it is given; without it everything stays unsigned, and says so in its name.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
: "${VERSION:?}"
program=$PWD/build/bin/kandev-desktop.exe
resources=rsrc_windows_amd64.syso
trap 'rm -f "$resources"' EXIT

go -C tools run ./syso "$VERSION" amd64 ../build "../$resources"
# wv2runtime.embed: without WebView2 the program itself offers to install it, with the file that Wails carries.
CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -trimpath -tags desktop,production,wv2runtime.embed \
  -ldflags "-s -w -H windowsgui -X kandev/cli.release=$VERSION" -o "$program" .
[ -z "${SIGN:-}" ] || "$SIGN" "$program"

mkdir -p "$out"
rm -f "$out"/*.exe
name=kandev-desktop-$VERSION-windows-amd64-setup
[ -n "${SIGN:-}" ] || name+=-unsigned
makensis -V2 -WX \
  -DVERSION="$VERSION" -DNUMBERS="${VERSION%%-*}" -DPROGRAM="$program" -DOUT="$PWD/$out/$name.exe" \
  -DWEBVIEW2="$(go list -m -f '{{.Dir}}' github.com/wailsapp/wails/v2)/internal/webview2runtime/MicrosoftEdgeWebview2Setup.exe" \
  -DNOTICES="$PWD/build/package/THIRD-PARTY-NOTICES.txt" build/windows/installer.nsi
[ -z "${SIGN:-}" ] || "$SIGN" "$out/$name.exe"
echo "created package: $out/$name.exe"
