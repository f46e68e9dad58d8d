#!/usr/bin/env bash
# Looks into the built .deb, .rpm and .tar.gz: the same files in all, the dependencies by their right names, sizes,
# modes, the version. VERSION=1.2.3 build/package-look.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1 work=build/tmp/package-look
die() { echo "package-look: $*" >&2; exit 1; }
rm -rf "$work" && mkdir -p "$work"
deb=$(echo "$out"/*.deb) rpm=$(echo "$out"/*.rpm) tar=$(echo "$out"/*.tar.gz)
for file in "$deb" "$rpm" "$tar"; do
  [ -f "$file" ] || die "there is no single $file"
  [ "$(stat -c %s "$file")" -le 20000000 ] || die "$file has more than 20 MB"
done
native=${VERSION/-/\~} # 1.2.3-rc.1 sorts before 1.2.3 in both

rpm -qlp "$rpm" | sed '/\/hicolor\(\/[^/]*\)\{0,2\}$/d; /\/doc\/kandev-desktop$/d' | sort >"$work/rpm"
tar tzf "$tar" | sed -n 's,^[^/]*\(/usr/.*[^/]\)$,\1,p' | sort >"$work/tar"
cmp "$work/rpm" "$work/tar" || die "the .rpm and the .tar.gz hold different files"
for want in /usr/bin/kandev-desktop /usr/share/applications/kandev-desktop.desktop /usr/share/doc/kandev-desktop/copyright \
  /usr/share/doc/kandev-desktop/THIRD-PARTY-NOTICES.txt.gz /usr/share/icons/hicolor/16x16/apps/kandev-desktop.png \
  /usr/share/icons/hicolor/scalable/apps/kandev-desktop.svg /usr/share/metainfo/io.github.kandev.desktop.metainfo.xml; do
  grep -qx "$want" "$work/rpm" || die "$want is in no package"
done
rpm -qp --requires "$rpm" >"$work/requires"
for want in 'gtk3' 'webkit2gtk4.1 >= ' 'glibc >= '; do
  grep -q "^$want" "$work/requires" || die "the .rpm does not depend on $want"
done
[ "$(rpm -qp --qf '%{VERSION}-%{RELEASE} %{LICENSE}' "$rpm")" = "$native-1 MIT" ] || die "the .rpm says $(rpm -qp --qf '%{VERSION}-%{RELEASE} %{LICENSE}' "$rpm")"
rpm -qp --qf '[%{FILEMODES:perms} %{FILEUSERNAME}:%{FILEGROUPNAME} %{FILENAMES}\n]' "$rpm" >"$work/modes"
grep -q '^-rwxr-xr-x root:root /usr/bin/kandev-desktop$' "$work/modes" || die "the program's mode in the .rpm: $(grep bin "$work/modes")"
[ -z "$(rpm -qp --scripts "$rpm")" ] || die "the .rpm runs scripts"

if command -v dpkg-deb >/dev/null; then
  dpkg-deb -c "$deb" | sed -n 's,.* \./\(usr/.*[^/]\)$,/\1,p' | sort >"$work/deb"
  cmp "$work/deb" "$work/tar" || die "the .deb and the .tar.gz hold different files"
  depends=$(dpkg-deb -f "$deb" Depends)
  for want in 'libc6 (>= ' 'libgtk-3-0 | libgtk-3-0t64' 'libwebkit2gtk-4.1-0 (>= '; do
    grep -qF "$want" <<<"$depends" || die "the .deb does not depend on $want: $depends"
  done
  [ "$(dpkg-deb -f "$deb" Version)" = "$native-1" ] || die "the .deb says $(dpkg-deb -f "$deb" Version)"
  dpkg-deb --fsys-tarfile "$deb" | tar -xOf - ./usr/share/metainfo/io.github.kandev.desktop.metainfo.xml | grep -q "version=\"$VERSION\"" ||
    die "the metainfo does not name $VERSION"
fi
echo "packages: $(wc -l <"$work/tar") files, $(stat -c %s "$deb") bytes as .deb, depending on $(sort -u "$work/requires" | grep -v rpmlib | paste -sd, | sed 's/,/, /g')"
