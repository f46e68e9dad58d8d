#!/usr/bin/env bash
# The README's two commands on a clean Debian 12 with nothing but Go, Node.js, make and git: from a fresh clone of the
# newest commit to the running app and to green tests. As root; a picture goes to build/proof/fresh.png.
set -euo pipefail
cd "$(dirname "$0")/.."
name=try-fresh work=$PWD/build/tmp/try-fresh root=${TMPDIR:-/tmp}/kandev-try-fresh
. build/debian-root.sh
[ "${1:-}" = --inside ] || apart
inside() {
  chroot "$root" env -i PATH=/usr/local/go/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    DISPLAY="${display:-}" NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt KANDEV_KEYCHAIN=off "$@"
}
clean_debian
mkdir -p build/proof
inside apt-get -qq update >"$work/apt.log" 2>&1
inside apt-get -qq -y install --no-install-recommends make git ca-certificates >>"$work/apt.log" 2>&1 </dev/null || die "apt-get"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
# Go and Node.js as they are on this machine: a person has installed them by the README's words.
cp -a "$(go env GOROOT)" "$root/usr/local/go"
node=$(readlink -f "$(command -v node)") npm=$(readlink -f "$(command -v npm)")
cp "$node" "$root/usr/bin/node"
mkdir -p "$root/usr/lib/node_modules"
cp -a "$(dirname "$(dirname "$npm")")" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/bin/npm"
git clone -q --no-hardlinks . "$root/root/kandev"
inside git config --global --add safe.directory /root/kandev

rm -f "$work/display"
Xvfb -displayfd 3 -screen 0 1320x920x24 -nolisten tcp -ac -noreset 3>"$work/display" >/dev/null 2>&1 & # it finds a free number
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for _ in $(seq 100); do [ ! -s "$work/display" ] || break; sleep 0.1; done
display=:$(cat "$work/display")
say "make run"
begun=$SECONDS
inside make -C /root/kandev run >"$work/run.log" 2>&1 &
until DISPLAY=$display xdotool search --onlyvisible --name 'Kandev Desktop' >/dev/null 2>&1; do
  [ $((SECONDS - begun)) -lt 1800 ] && kill -0 $! 2>/dev/null || { tail "$work/run.log"; die "no window after $((SECONDS - begun)) s"; }
  sleep 1
done
say "a window after $((SECONDS - begun)) s"
lock=$root/root/.local/share/kandev-desktop/data/lock log=$root/root/.local/share/kandev-desktop/data/logs/kandev.log
for _ in $(seq 60); do grep -qs 'first call answered' "$log" && break; sleep 1; done
grep -q 'first call answered' "$log" || die "the page did not come up"
sleep 3
DISPLAY=$display import -window root build/proof/fresh.png
kill "$(cat "$lock")"
wait $! || die "the app ended with $?"
say "make test"
begun=$SECONDS
inside make -C /root/kandev test >"$work/test.log" 2>&1 || { tail -30 "$work/test.log"; die "make test"; }
say "green after $((SECONDS - begun)) s"
[ -z "$(inside git -C /root/kandev status --porcelain)" ] || die "the two commands changed files of the checkout"
say "everything was seen"
