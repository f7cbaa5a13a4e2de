#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Builds the committed tree twice, in folders of different names, at different times, with another locale, time zone and number of jobs, and compares every
# byte: what is installed, and the packages of Debian.
#   usage: src/package/same-bytes.sh FOLDER [CMAKE ARGUMENT...]
# FOLDER: a new one, for both builds; it stays where they differ. CMAKE ARGUMENT: as -DCMAKE_C_FLAGS_RELEASE=-O0, which takes less time.
# Exit code 1: they differ, or a build fails.
set -euo pipefail
if [ $# -eq 0 ] || [ -e "$1" ]; then
  sed -n '5,6s/^# *//p' "$0" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$folder"
commit=$(git -C "$root" rev-parse HEAD)
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct "$commit")
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1

# build NAME JOBS [CMAKE ARGUMENT...]: installs into installed/NAME, and packs into packed/NAME
build() {
  local name=$1 jobs=$2
  shift 2
  git clone --quiet "$root" "$name" && git -C "$name" checkout --quiet "$commit" &&
    cmake -S "$name" -B "$name/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DSTICTION_TESTS=OFF -DSTICTION_BENCH=OFF "$@" &&
    cmake --build "$name/build" -j "$jobs" &&
    DESTDIR=$PWD/installed/$name cmake --install "$name/build" &&
    if command -v dpkg-shlibdeps; then cpack -G DEB --config "$name/build/CPackConfig.cmake" -B "$PWD/packed/$name"; fi &&
    rm -rf "packed/$name/_CPack_Packages"
}
build one 2 "$@" >one.log 2>&1 || { tail one.log >&2; exit 1; }
(export LC_ALL=C.UTF-8 TZ=Pacific/Auckland && build the-other-one 1 "$@") >the-other-one.log 2>&1 || { tail the-other-one.log >&2; exit 1; }

failed=0 count=0
for kind in installed packed; do
  while read -r file; do
    count=$((count + 1))
    cmp "$kind/one/$file" "$kind/the-other-one/$file" || failed=1
  done < <(find $kind/one $kind/the-other-one -type f | cut -d/ -f3- | sort -u)
done
[ $failed -eq 0 ] || exit 1
echo "two builds, the same bytes: $count files"
cd /
rm -rf "$folder"
