#!/usr/bin/env bash
# Prints the version of what is being built. It comes from the git tag and from nowhere else:
#
#   at a clean tag v1.2.3           1.2.3
#   7 commits after it, or changed  1.2.4-dev.7
#   no tag at all                   0.1.0-dev.42
#
# VERSION overrides it, for trying an upgrade or building where there is no git.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -n "${VERSION:-}" ]; then
  version=${VERSION#v}
elif tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
  version=${tag#v}
  count=$(git rev-list --count "$tag..HEAD")
  if [ "$count" != 0 ] || [ -n "$(git status --porcelain --untracked-files=no)" ]; then
    base=${version%%-*}
    version=${base%.*}.$((${base##*.} + 1))-dev.$count
  fi
else
  version=0.1.0-dev.$(git rev-list --count HEAD 2>/dev/null || echo 0)
fi
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || { echo "version.sh: $version is not a version such as 1.2.3 or 1.2.3-rc.1" >&2; exit 1; }
echo "$version"
