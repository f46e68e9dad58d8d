#!/usr/bin/env bash
# Installs, uses, upgrades and removes the .deb on a clean Debian 12, as a person would; pictures go to build/proof/deb.
#
#   build/try-deb.sh      as root: it needs chroot and mounts, in a mount namespace of its own
#
# The clean system is kept for the next time; the copy that is tried is removed when all went well.
set -euo pipefail
cd "$(dirname "$0")/.."
name=try-deb work=$PWD/build/tmp/try-deb root=${TMPDIR:-/tmp}/kandev-try-deb
data=/home/ada/.local/share/kandev-desktop/data
. build/debian-root.sh
if [ "${1:-}" != --inside ]; then
  for version in 0.1.0 0.2.0; do # a build for each, before anything is mounted
    VERSION=$version make package-linux >/dev/null
    mkdir -p build/tmp/try-deb && cp build/bin/packages/kandev-desktop_"$version"-1_amd64.deb build/tmp/try-deb/
  done
  apart
fi

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
apt() { inside apt-get -qq -y "$@" >"$work/apt.log" 2>&1 </dev/null || { tail -20 "$work/apt.log"; die "apt-get $*"; }; }
# listed prints all files but those of the machine, the package manager and people, and a cache that GTK keeps of icons.
listed() { (cd "$root" && find . -xdev \( -name icon-theme.cache -o -path ./home -o -path ./tmp -o -path ./var/lib -o -path ./var/cache -o -path ./var/log -o -path ./root \) -prune -o -print | sort); }

clean_debian
cp "$work"/*.deb "$root/tmp/"
apt update
inside useradd --create-home --shell /bin/sh ada

say "without the web view it is refused"
listed >"$work/clean"
inside dpkg -i /tmp/kandev-desktop_0.1.0-1_amd64.deb >"$work/refused" 2>&1 && die "dpkg installed it without its dependencies"
grep -q 'depends on libwebkit2gtk-4.1-0' "$work/refused" || die "no sentence about the web view: $(cat "$work/refused")"
say "$(grep -m1 'depends on libwebkit2gtk' "$work/refused" | sed 's/^ *//')"
inside dpkg --purge kandev-desktop >/dev/null 2>&1

say "installed with what it depends on"
apt install --no-install-recommends /tmp/kandev-desktop_0.1.0-1_amd64.deb
say "$(inside dpkg-query -W -f '${Package} ${Version} ${Status}' kandev-desktop), with $(grep -c '^Setting up' "$work/apt.log") packages"
apt install --no-install-recommends webkit2gtk-driver libgtk-3-bin # what drives it
inside desktop-file-validate /usr/share/applications/kandev-desktop.desktop 2>/dev/null || true
inside ldd /usr/bin/kandev-desktop | grep 'not found' && die "libraries are missing"
inside su ada -c 'KANDEV_KEYCHAIN=off kandev-desktop doctor' >"$work/doctor" || true
grep -q '^missing *Display' "$work/doctor" || die "doctor does not miss the display: $(cat "$work/doctor")"
grep -q 'Needed and missing: Display\.' "$work/doctor" || die "doctor misses more: $(cat "$work/doctor")"
[ ! -e "$root$data" ] || die "doctor made the data folder"

node frontend/e2e/package.mjs "$root" use
say "upgrade"
[ -s "$root$data/kandev.db" ] || die "no database after the first use"
apt install --no-install-recommends /tmp/kandev-desktop_0.2.0-1_amd64.deb
inside kandev-desktop version | grep -q '^kandev-desktop 0.2.0 ' || die "it is not the new version"
node frontend/e2e/package.mjs "$root" again

say "removal"
listed >"$work/installed"
inside dpkg -L kandev-desktop | sed 's,^/,./,' | sort >"$work/owned"
(cd "$root$data" && find . -type f -exec sha256sum {} + | sort -k2) >"$work/data-before"
apt remove kandev-desktop
listed >"$work/removed"
comm -13 "$work/installed" "$work/removed" | grep . && die "removal made these files"
comm -23 "$work/installed" "$work/removed" >"$work/gone"
comm -23 "$work/gone" "$work/owned" | grep . && die "removal took these files of others"
comm -12 "$work/owned" "$work/removed" | while read -r path; do [ -d "$root/$path" ] || die "removal left $path"; done
grep kandev "$work/removed" && die "removal left the files above"
(cd "$root$data" && find . -type f -exec sha256sum {} + | sort -k2) | cmp - "$work/data-before" || die "removal touched the data"
say "removed $(wc -l <"$work/gone") files and folders of ours; $(wc -l <"$work/data-before") files of data are as they were"
say "everything was seen"
