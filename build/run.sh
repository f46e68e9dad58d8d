#!/usr/bin/env bash
# Opens the app and says in a sentence why it cannot.
#
#   build/run.sh PROGRAM [ARGUMENTS]
#   build/run.sh --check-display     only looks whether a window could open, before a long build
#   ./start [ARGUMENTS]              the same script in the .tar.gz, beside the program that it opens
#
# On Linux the program is linked with GTK and WebKitGTK: without them the system's loader ends it
# before its first own instruction, so the sentence about that has to come from here.
set -euo pipefail
if [ "$(basename "$0")" = start ]; then
  set -- "$(dirname "$(readlink -f "$0")")/usr/bin/kandev-desktop" "$@"
fi
if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  case ${2:-} in
    "" | -*) # a window is wanted, no subcommand
      echo "No display: neither DISPLAY nor WAYLAND_DISPLAY is set, so no window can open." >&2
      echo "Run this in a desktop session, or 'xvfb-run -a make run' on a machine without a screen." >&2
      exit 1 ;;
  esac
fi
[ "$1" != --check-display ] || exit 0
program=$1
shift
if [ "$(uname -s)" = Linux ] && command -v ldd >/dev/null; then
  found=$(ldd "$program" 2>&1 || true)
  old=$(sed -n "s/.*version \`\(GLIBC_[0-9.]*\)' not found.*/\1/p" <<<"$found" | sort -Vu | tail -1)
  if [ -n "$old" ]; then
    echo "This system's C library is too old: the program needs glibc ${old#GLIBC_}, as in Debian 12, Ubuntu 22.04, Fedora 39 or newer." >&2
    echo "Use a newer system, or build the program on this one with 'make build'." >&2
    exit 1
  fi
  missing=$(sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' <<<"$found" | sort -u | tr '\n' ' ')
  if [ -n "$missing" ]; then
    echo "The web view is not installed: $missing" >&2
    echo "Install libgtk-3-0 and libwebkit2gtk-4.1-0 (Debian, Ubuntu), gtk3 and webkit2gtk4.1 (Fedora), gtk3 and webkit2gtk-4.1 (Arch)." >&2
    exit 1
  fi
fi
exec "$program" "$@"
