#!/usr/bin/env bash
# Installs, starts, upgrades and removes the Windows version under wine, silently, as a person's script would.
#
# What wine cannot show: the window (there is no WebView2 for it), the pages of the installer, and how Windows judges
# an unsigned file. Those want a real Windows; CONTRIBUTING.md says what to look at there.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/build/tmp/try-windows
rm -rf "$work" && mkdir -p "$work"
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml='
trap 'wineserver -k 2>/dev/null || true' EXIT

say() { echo "try-windows: $*"; }
die() { say "FAILED: $*"; exit 1; }

# wined COMMAND… runs a Windows program, at most a minute, and prints without carriage returns.
wined() { timeout 60 wine "$@" 2>/dev/null | tr -d '\r'; }
# code_of COMMAND… prints the exit code of a Windows program.
code_of() { local code=0; timeout 60 wine "$@" >/dev/null 2>&1 || code=$?; echo $code; }
# until_gone FILE waits until the uninstaller, which works from a copy of itself, has done its part.
until_gone() { for _ in $(seq 100); do [ -e "$1" ] || return 0; sleep 0.1; done; die "$1 is still there"; }

say "two versions"
for version in 0.1.0 0.2.0; do
  VERSION=$version make package-windows >"$work/build-$version.log" 2>&1 || { cat "$work/build-$version.log"; exit 1; }
  cp build/bin/packages/kandev-desktop-$version-windows-amd64-setup-unsigned.exe "$work/setup-$version.exe"
done

say "a new Windows"
wined wineboot -i
wined winecfg -v win10
x86_64-w64-mingw32-gcc -shared -O2 -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" build/windows/prng.c -ladvapi32
user=$(find "$WINEPREFIX/drive_c/users" -maxdepth 1 -mindepth 1 ! -name Public -printf '%f\n')
home=$WINEPREFIX/drive_c/users/$user local=$WINEPREFIX/drive_c/users/$user/AppData/Local
dir="$local/Programs/Kandev Desktop" data=$local/kandev-desktop
exe=$dir/kandev-desktop.exe link="$home/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Kandev Desktop.lnk"
key='HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\kandev-desktop'
wineserver -w
(cd "$WINEPREFIX/drive_c" && find . | sort) >"$work/before"

say "install"
code=$(code_of "$work/setup-0.1.0.exe" /S /NOWEBVIEW)
[ "$code" = 0 ] || die "the installer ended with $code"
for file in "$exe" "$dir/uninstall.exe" "$dir/THIRD-PARTY-NOTICES.txt" "$link"; do [ -s "$file" ] || die "$file is missing"; done
wined reg query "$key" >"$work/registry" || true
grep -q '0\.1\.0' "$work/registry" || die "no entry among the installed programs"
wined "$exe" version | tee "$work/version" | grep -q '^kandev-desktop 0.1.0 ' || die "it says $(cat "$work/version")"
echo '[{"name":"list_tasks","description":"Lists tasks.","inputSchema":{"type":"object"}}]' >"$work/tools.json"
wined "$exe" tokens --json "$(winepath -w "$work/tools.json")" >"$work/tokens-windows"
build/bin/kandev-desktop tokens --json "$work/tools.json" >"$work/tokens-linux"
cmp "$work/tokens-windows" "$work/tokens-linux" || die "it counts other tokens than Linux"
say "it says $(cat "$work/version") and counts: $(cat "$work/tokens-windows")"
wined "$exe" doctor >"$work/doctor" || true
grep -q '^missing  Web view' "$work/doctor" || die "doctor does not miss WebView2: $(cat "$work/doctor")"
grep -q '^Needed and missing: Web view\.' "$work/doctor" || die "doctor misses more: $(cat "$work/doctor")"
wined reg add 'HKCU\Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}' /v pv /d 120.0.1 /f
[ "$(code_of "$exe" doctor)" = 0 ] || die "doctor misses WebView2 although it is registered"
say "doctor: $(grep -m1 'Web view' "$work/doctor")"

say "upgrade while it runs"
mkdir -p "$data" && echo precious >"$data/kandev.db"
mkfifo "$work/input"
(wine "$exe" agent <"$work/input" >"$work/agent" 2>/dev/null || true) &
exec 3>"$work/input"
echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}' >&3
for _ in $(seq 100); do [ ! -s "$work/agent" ] || break; sleep 0.1; done
grep -q protocolVersion "$work/agent" || die "the embedded agent does not answer"
code=$(code_of "$work/setup-0.2.0.exe" /S /NOWEBVIEW)
[ "$code" = 66 ] || die "the installer ended with $code while the program ran, not with 66"
exec 3>&-
wineserver -w
wined "$exe" version | grep -q ' 0.1.0 ' || die "the refused upgrade changed the program"

say "upgrade"
code=$(code_of "$work/setup-0.2.0.exe" /S /NOWEBVIEW)
[ "$code" = 0 ] || die "the upgrade ended with $code"
wined "$exe" version | grep -q '^kandev-desktop 0.2.0 ' || die "the program is not the new one"
wined reg query "$key" | grep -q '0\.2\.0' || die "the entry is not the new one"
[ "$(cat "$data/kandev.db")" = precious ] || die "the data was touched"

say "uninstall, keeping data"
code=$(code_of "$dir/uninstall.exe" /S)
[ "$code" = 0 ] || die "the uninstaller ended with $code"
until_gone "$dir"
wineserver -w
[ "$(cat "$data/kandev.db")" = precious ] || die "the data is gone"
[ ! -e "$link" ] || die "the shortcut is still there"
[ "$(code_of reg query "$key")" != 0 ] || die "the entry is still there"
(cd "$WINEPREFIX/drive_c" && find . | sort) >"$work/after"
comm -13 "$work/before" "$work/after" | grep -v -e '/AppData/Local/kandev-desktop' -e '/AppData/Local/Programs$' -e '/Temp' >"$work/left" || true
[ ! -s "$work/left" ] || die "left behind: $(cat "$work/left")"
say "left: $(comm -13 "$work/before" "$work/after" | tr '\n' ' ')"

say "uninstall with data"
[ "$(code_of "$work/setup-0.2.0.exe" /S /NOWEBVIEW)" = 0 ] || die "the second installation failed"
code=$(code_of "$dir/uninstall.exe" /S /REMOVEDATA)
until_gone "$data"
until_gone "$dir"

say "an old Windows is refused"
wined winecfg -v win7
wineserver -w
code=$(code_of "$work/setup-0.2.0.exe" /S)
[ "$code" = 64 ] || die "the installer ended with $code on Windows 7, not with 64"
[ ! -e "$exe" ] || die "it installed all the same"
say "everything was seen"
