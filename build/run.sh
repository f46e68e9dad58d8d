#!/usr/bin/env bash
# Opens the app and says in a sentence why it cannot.
#
#   build/run.sh PROGRAM [ARGUMENTS]
#   build/run.sh --check-display     only looks whether a window could open, before a long build
#
# On Linux the program is linked with GTK and WebKitGTK: without them the system's loader ends it
# before its first own instruction, so the sentence about that has to come from here.
set -euo pipefail
if [ "$(uname -s)" = Linux ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  echo "No display: neither DISPLAY nor WAYLAND_DISPLAY is set, so no window can open." >&2
  echo "Run this in a desktop session, or 'xvfb-run -a make run' on a machine without a screen." >&2
  exit 1
fi
[ "$1" != --check-display ] || exit 0
program=$1
shift
if [ "$(uname -s)" = Linux ]; then
  if command -v ldd >/dev/null; then
    missing=$(ldd "$program" 2>/dev/null | sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' | sort -u | tr '\n' ' ')
    if [ -n "$missing" ]; then
      echo "The web view is not installed: $missing" >&2
      echo "Install libgtk-3-0 and libwebkit2gtk-4.1-0 (Debian, Ubuntu), gtk3 and webkit2gtk4.1 (Fedora), gtk3 and webkit2gtk-4.1 (Arch)." >&2
      exit 1
    fi
  fi
fi
exec "$program" "$@"
