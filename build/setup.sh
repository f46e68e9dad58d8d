#!/usr/bin/env bash
# Installs what is missing to build and run Kandev Desktop. Safe to run again: with everything in
# place it only looks, in a few milliseconds.
#
#   build/setup.sh [run] [e2e] [package] [nsis] [check] [try] [wine] [node]
#
# run   Go, Node.js and the web view's libraries (what `make run` needs; the default)
# e2e   a virtual display and Chromium
# package  what makes and looks into Linux packages
# nsis  what makes the Windows installer
# check  validators of desktop file and metainfo
# try   what tries the .deb: a clean Debian, WebKit's driver, a window manager
# wine  what tries the Windows installer
# node  Node.js alone
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "setup: $*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# need_go and need_node check versions that we cannot install well ourselves.
need_go() {
  have go || die "Go is not here. Install Go 1.26 or newer (https://go.dev/dl) and run this again."
  go list -m >/dev/null 2>&1 || die "$(go version) cannot build this: Go 1.26 or newer is needed (https://go.dev/dl)."
}
need_node() {
  have node && have npm || die "Node.js is not here. Install Node.js 20.19, 22.12 or newer (https://nodejs.org) and run this again."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number);
    process.exit(a >= 24 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)' ||
    die "Node.js $(node --version) does not fit: 20.19, 22.12 or newer, with an even number, is needed."
}

# linux_missing prints the Debian packages that are absent for the given parts.
linux_missing() {
  local part
  for part in "$@"; do
    case $part in
      run)
        have gcc || echo gcc libc6-dev
        have pkg-config || echo pkg-config
        pkg-config --exists gtk+-3.0 2>/dev/null || echo libgtk-3-dev
        pkg-config --exists webkit2gtk-4.1 2>/dev/null || echo libwebkit2gtk-4.1-dev ;;
      e2e)
        have Xvfb || echo xvfb
        have xauth || echo xauth
        have chromium || have google-chrome || echo chromium
        have xdotool || echo xdotool
        have sqlite3 || echo sqlite3
        have xwininfo || echo x11-utils
        have import || echo imagemagick ;;
      package)
        have objdump || echo binutils
        have rpm || echo rpm ;;
      nsis) have makensis || echo nsis ;;
      check)
        have desktop-file-validate || echo desktop-file-utils
        have appstreamcli || echo appstream ;;
      try)
        have debootstrap || echo debootstrap
        have WebKitWebDriver || echo webkit2gtk-driver
        have openbox || echo openbox
        have wmctrl || echo wmctrl ;;
      wine)
        have wine || echo wine wine64
        have x86_64-w64-mingw32-gcc || echo gcc-mingw-w64-x86-64 ;;
    esac
  done
}

install_linux() {
  local root=() packages=("$@") log
  have apt-get || die "these are missing: ${packages[*]} (Debian's names). Install them with your package manager and run this again."
  if [ "$(id -u)" != 0 ]; then
    have sudo || die "these are missing: ${packages[*]}. Run as root: apt-get install ${packages[*]}"
    root=(sudo)
  fi
  say "installing ${packages[*]}"
  log=$(mktemp)
  local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
  # Known package lists may be absent or old: install, else update once and install again.
  if ! "${apt[@]}" install --no-install-recommends "${packages[@]}" >"$log" 2>&1 </dev/null; then
    if ! { "${apt[@]}" update && "${apt[@]}" install --no-install-recommends "${packages[@]}"; } >"$log" 2>&1 </dev/null; then
      tail -n 20 "$log" >&2
      die "apt-get could not install ${packages[*]}; its last lines are above, all of them in $log"
    fi
  fi
  rm -f "$log"
}

parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(run)
if [ "${parts[*]}" = node ]; then
  need_node
  exit 0
fi
need_go
need_node
case $(uname -s) in
  Linux)
    mapfile -t missing < <(linux_missing "${parts[@]}" | tr ' ' '\n')
    [ ${#missing[@]} -eq 0 ] || install_linux "${missing[@]}"
    mapfile -t missing < <(linux_missing "${parts[@]}" | tr ' ' '\n')
    [ ${#missing[@]} -eq 0 ] || die "still missing after the installation: ${missing[*]}" ;;
  Darwin)
    xcode-select -p >/dev/null 2>&1 || die "Apple's command line tools are not here. Run xcode-select --install and then this again." ;;
esac
