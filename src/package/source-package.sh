#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Makes Debian's source package of the committed tree: FOLDER/stiction_VERSION-1.dsc and the two tarballs it names.
#   usage: src/package/source-package.sh FOLDER
# DEBFULLNAME and DEBEMAIL, if set, name the maintainer.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
root=$(cd "$(dirname "$0")/../.." && pwd)
version=$(sed -nE 's/^#define STICTION_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$root/sim/version.h" | paste -sd.)
mkdir -p "$1"
cd "$1"
git -C "$root" archive --prefix="stiction-$version/" HEAD | gzip -9n >"stiction_$version.orig.tar.gz"
rm -rf "stiction-$version"
tar -xzf "stiction_$version.orig.tar.gz"
cp -r "stiction-$version/src/package/debian" "stiction-$version/debian"
if [ -n "${DEBFULLNAME:-}" ] && [ -n "${DEBEMAIL:-}" ]; then
  sed -i "s/^Maintainer: .*/Maintainer: $DEBFULLNAME <$DEBEMAIL>/" "stiction-$version/debian/control"
  sed -i "s/^ -- .* <.*>  / -- $DEBFULLNAME <$DEBEMAIL>  /" "stiction-$version/debian/changelog"
fi
dpkg-source --build "stiction-$version"
