#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds the committed tree twice, in folders of different names, at different times, with another locale, time zone, umask and number of jobs, and compares
# every byte: what is installed, and the packages of Debian.
#   usage: src/package/same-bytes.sh FOLDER        FOLDER: a new one, for both builds; it stays where they differ
# Exit code 1: they differ, or a build fails.
set -euo pipefail
if [ $# -ne 1 ] || [ -e "$1" ]; then
  echo "usage: $0 FOLDER (expected a new one)" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1

# build FOLDER JOBS: installs into installed/FOLDER, and packs into packed/FOLDER
build() {
  git clone --quiet "$root" "$1"
  cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DSTICTION_TESTS=OFF -DSTICTION_BENCH=OFF
  cmake --build "$1/build" -j "$2"
  DESTDIR=$PWD/installed/$1 cmake --install "$1/build"
  ! command -v dpkg-shlibdeps || cpack -G DEB --config "$1/build/CPackConfig.cmake" -B "$PWD/packed/$1"
}
(build one 2) >one.log 2>&1 || { tail one.log >&2; exit 1; }
(umask 027 && LC_ALL=C.UTF-8 TZ=Pacific/Auckland build the-other-one 1) >the-other-one.log 2>&1 || { tail the-other-one.log >&2; exit 1; }
rm -rf packed/*/_CPack_Packages

failed=0 count=0
for kind in installed packed; do
  [ -d $kind ] || continue
  while read -r file; do
    count=$((count + 1))
    cmp "$kind/one/$file" "$kind/the-other-one/$file" || failed=1
  done < <(cd $kind && find one the-other-one -type f | cut -d/ -f2- | sort -u)
done
[ $failed -eq 0 ] || exit 1
echo "two builds, the same bytes: $count files"
cd "$OLDPWD"
rm -rf "$1"
