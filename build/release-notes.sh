#!/usr/bin/env bash
# Prints the part of CHANGELOG.md about a version: build/release-notes.sh 1.2.3 [FILE]
#
# A heading is `## 1.2.3` or `## 1.2.3 (2026-01-31)`. A version with a dash, such as 1.2.4-rc.1 or 1.2.4-dev.7, that
# has no part of its own gets the one called Unreleased. Exit code 1: there is none, or it is empty.
set -euo pipefail
version=${1:?a version is needed}
file=${2:-$(dirname "$0")/../CHANGELOG.md}

# part TITLE prints what is below its heading up to the next one, without blank lines at both ends.
part() {
  awk -v title="$1" '
    /^## / { inside = ($2 == title); next }
    inside { text = text $0 "\n" }
    END { sub(/^\n+/, "", text); sub(/\n+$/, "", text); if (text != "") print text }' "$file"
}

notes=$(part "${version#v}")
if [ -z "$notes" ] && [[ $version == *-* ]]; then
  notes=$(part Unreleased)
fi
if [ -z "$notes" ]; then
  echo "release-notes: $(basename "$file") says nothing about ${version#v}: rename its part Unreleased" >&2
  exit 1
fi
printf '%s\n' "$notes"
