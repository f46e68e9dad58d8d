# Sourced by build/try-deb.sh and build/try-fresh.sh, which set $name, $work and $root: a clean Debian 12 in the folder
# $root, to be entered with chroot. It needs root, debootstrap and the kernel's mount namespaces.
say() { echo "$name: $*"; }
die() { say "FAILED: $*"; exit 1; }
[ "$(id -u)" = 0 ] || { echo "$name: run it as root: it mounts and changes root" >&2; exit 1; }

# apart runs the script again with --inside, in a mount namespace of its own, and ends. What is mounted goes with the
# namespace, so that the removal of $root meets none of it.
apart() {
  unshare --mount --propagation private "$0" --inside || die "what it tried is in $root"
  rm -rf --one-file-system "$root"
  exit 0
}

# clean_debian makes $root: by debootstrap once, below the temporary folder (BASE names another one), then as a copy of
# that. Neither is in the checkout: go and its tools would walk them.
clean_debian() {
  local base=${BASE:-${TMPDIR:-/tmp}/kandev-try-debian}
  mkdir -p "$work"
  if [ ! -e "$base/etc/debian_version" ]; then
    say "a clean Debian, by debootstrap"
    debootstrap --variant=minbase bookworm "$base" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; die "debootstrap"; }
  fi
  rm -rf "$root"
  cp -a "$base" "$root"
  # The machine's own package sources, so that security updates are seen as a person would have them.
  if grep -qs bookworm /etc/apt/sources.list.d/debian.sources; then
    rm -f "$root/etc/apt/sources.list"
    cp /etc/apt/sources.list.d/debian.sources "$root/etc/apt/sources.list.d/"
  fi
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mkdir -p "$root/tmp/.X11-unix" /tmp/.X11-unix
  mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
}
