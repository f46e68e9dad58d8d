#!/usr/bin/env bash
# Makes Kandev Desktop.app and a .dmg from a built program: VERSION=1.2.3 build/package-macos.sh PROGRAM FOLDER
#
# APPLE_IDENTITY  signs with this identity of the keychain, with the hardened runtime; without it the app is signed
#                 ad hoc, which macOS demands to run it at all, and the file is called unsigned
# APPLE_PROFILE   notarises with this profile of `xcrun notarytool store-credentials`, and staples
# LAYOUT_ONLY=1   makes only the .app's folder, on any system, unsigned: for the check of its layout
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1 out=$2
: "${VERSION:?}"
work=build/tmp/macos
app="$work/Kandev Desktop.app"

rm -rf "$work"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources" "$out"
cp "$program" "$app/Contents/MacOS/kandev-desktop"
chmod 755 "$app/Contents/MacOS/kandev-desktop"
sed "s/@VERSION@/$VERSION/; s/@NUMBERS@/${VERSION%%-*}/" build/darwin/Info.plist >"$app/Contents/Info.plist"
printf 'APPL????' >"$app/Contents/PkgInfo"
cp build/icon/kandev-desktop.icns LICENSE NOTICE build/package/THIRD-PARTY-NOTICES.txt "$app/Contents/Resources/"
if [ "${LAYOUT_ONLY:-}" = 1 ]; then
  echo "$app"
  exit 0
fi
[ "$(uname -s)" = Darwin ] || { echo "package-macos: the program needs Apple's frameworks; run this on a Mac" >&2; exit 1; }

# The entitlements are empty: the app keeps the whole hardened runtime. Plugins are interpreted, and the page's scripts
# are compiled by WebKit in a process of Apple's. No comment in that file: what reads it there knows none.
name=kandev-desktop-$VERSION-macos-$(go env GOARCH)
if [ -n "${APPLE_IDENTITY:-}" ]; then
  codesign --force --timestamp --options runtime --entitlements build/darwin/entitlements.plist --sign "$APPLE_IDENTITY" "$app"
else
  codesign --force --sign - --entitlements build/darwin/entitlements.plist "$app"
  name+=-unsigned
fi
codesign --verify --strict "$app"

ln -s /Applications "$work/Applications"
dmg=$out/$name.dmg
rm -f "$out"/*.dmg
hdiutil create -quiet -volname "Kandev Desktop" -srcfolder "$work" -format UDZO "$dmg"
if [ -n "${APPLE_IDENTITY:-}" ]; then
  codesign --timestamp --sign "$APPLE_IDENTITY" "$dmg"
fi
if [ -n "${APPLE_PROFILE:-}" ]; then
  xcrun notarytool submit "$dmg" --keychain-profile "$APPLE_PROFILE" --wait
  xcrun stapler staple "$dmg"
fi
echo "created package: $dmg"
