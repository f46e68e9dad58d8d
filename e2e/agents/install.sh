#!/usr/bin/env bash
# Installs agents from npm at the versions of packages/, each into a cache folder of its own, and
# prints that cache. One that is there is used as it is, so a CI that keeps the folder installs nothing.
#
#   e2e/agents/install.sh AGENT…
#
# KANDEV_AGENTS_CACHE  the folder; by default kandev-desktop/agents in the user's cache
set -euo pipefail
cd "$(dirname "$0")/packages"
cache=${KANDEV_AGENTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kandev-desktop/agents}
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9 # two runs install once

for agent in node "$@"; do
  [ "$agent" != toolbench ] || continue # it is our own program
  [ -f "$agent/package-lock.json" ] || { echo "install: there is no agent $agent" >&2; exit 2; }
  # The key is what decides the content: name, version and everything the lock file holds.
  to=$cache/$agent-$(sha256sum "$agent/package-lock.json" | cut -c1-12)
  if [ ! -d "$to" ]; then
    echo "install: $agent" >&2
    part=$(mktemp -d "$cache/.part.XXXXXX")
    cp "$agent/package.json" "$agent/package-lock.json" "$agent/.npmrc" "$part"
    # Not npm ci: OpenCode's packages for other systems are missing in registries, and it wants them.
    # The lock file holds all versions.
    npm install --no-save --prefix "$part" --loglevel=error >&2 </dev/null || { rm -rf "$part"; exit 1; }
    mv "$part" "$to"
  fi
  ln -sfn "$(basename "$to")" "$cache/$agent"
done
echo "$cache"
