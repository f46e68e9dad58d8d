#!/usr/bin/env bash
# Makes the .deb, the .rpm and the .tar.gz from a built program: VERSION=1.2.3 build/package-linux.sh PROGRAM FOLDER
#
# All three hold the same files. The same commit gives the same bytes: times are the commit's.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1 out=$2
: "${VERSION:?}"
STAGE=$PWD/build/tmp/stage
GOARCH=$(go env GOARCH)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
DATE=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
# The newest symbols of libc decide which systems can start the program at all.
GLIBC=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -1)
export VERSION GOARCH STAGE DATE GLIBC SOURCE_DATE_EPOCH

# put MODE FILE PLACE copies one file into the stage.
put() { install -D -m "$1" "$2" "$STAGE/$3"; }

rm -rf "$STAGE"
share=usr/share doc=usr/share/doc/kandev-desktop
put 0755 "$program" usr/bin/kandev-desktop
put 0644 build/linux/kandev-desktop.desktop $share/applications/kandev-desktop.desktop
for size in 16 22 24 32 48 64 128 256 512; do
  put 0644 build/icon/kandev-desktop-$size.png $share/icons/hicolor/${size}x$size/apps/kandev-desktop.png
done
put 0644 build/icon/icon.svg $share/icons/hicolor/scalable/apps/kandev-desktop.svg
put 0644 build/linux/io.github.kandev.desktop.metainfo.xml $share/metainfo/io.github.kandev.desktop.metainfo.xml
sed -i "s/@VERSION@/$VERSION/; s/@DATE@/${DATE%T*}/" "$STAGE/$share/metainfo/io.github.kandev.desktop.metainfo.xml"
put 0644 LICENSE $doc/copyright
put 0644 NOTICE $doc/NOTICE
put 0644 build/package/THIRD-PARTY-NOTICES.txt $doc/THIRD-PARTY-NOTICES.txt
put 0644 CHANGELOG.md $doc/CHANGELOG.md
gzip -9n "$STAGE/$doc/THIRD-PARTY-NOTICES.txt" "$STAGE/$doc/CHANGELOG.md"
find "$STAGE" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

mkdir -p "$out"
rm -f "$out"/*.deb "$out"/*.rpm "$out"/*.tar.gz
for kind in deb rpm; do
  go tool -modfile=tools/go.mod nfpm package -f build/linux/nfpm.yaml -p $kind -t "$out/" | tail -1
done

# The archive is for systems without either: unpack it anywhere, ./start looks at what is missing and opens the window.
name=kandev-desktop-$VERSION-linux-$GOARCH
install -m 0755 build/run.sh "$STAGE/start"
install -m 0644 build/linux/README.txt "$STAGE/README.txt"
touch -d "@$SOURCE_DATE_EPOCH" "$STAGE/start" "$STAGE/README.txt"
tar -C "$STAGE" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
  --transform "s,^\.,$name," -cf - . | gzip -9n >"$out/$name.tar.gz"
echo "created package: $out/$name.tar.gz"
