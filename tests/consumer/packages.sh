#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Packages of Debian, made of the build, unpacked as dpkg would have them, and the tarball of sources.
#   usage: tests/consumer/packages.sh BUILD
set -uo pipefail
PROGRAM=
build=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
command -v dpkg-shlibdeps >/dev/null || { echo "packages: no dpkg-shlibdeps"; exit 77; }
version=$(sed -nE 's/^#define STICTION_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$root/sim/version.h" | paste -sd.)
library=libstiction${version%.*}

expect 0 cpack -G DEB --config "$build/CPackConfig.cmake" -B "$PWD/packages"
mkdir root
for name in stiction "$library" libstiction-dev python3-stiction; do
  package=$(ls packages/"${name}_${version}"_*.deb)
  expect 0 dpkg-deb --field "$package" Package Version Depends Maintainer
  cp out "$name.control"
  expect 0 dpkg-deb --extract "$package" root
done
for needed in libc6 libpetsc-real libnlopt0 libhdf5-openmpi libyaml-0-2 libjansson4 libexpat1 liblapack3 libopenmpi3; do
  has stiction.control "^Depends: .*$needed"
  has "$library.control" "^Depends: .*$needed"
done
has stiction.control '^Depends: .*libmicrohttpd'
has libstiction-dev.control "^Depends: $library \(= $version\)"
has python3-stiction.control "^Depends: .*python3-numpy, $library \(= $version\)"
that "the module's package is of every architecture" test -e "packages/python3-stiction_${version}_all.deb"
that "and is the module alone" test "$(dpkg-deb --fsys-tarfile packages/python3-stiction_*.deb | tar -t | grep -v '/$' | grep -cv '^./usr/lib/python3/dist-packages/stiction/[a-z_]*\.py$')" -eq 0
that "the library's package has the library alone" test \
  "$(dpkg-deb --fsys-tarfile packages/"$library"_*.deb | tar -t | grep -v '/$' | grep -cv 'libstiction\.so\.[0-9.]*$')" -eq 0
that "nothing has the build's place in it" test "$(grep -rlF -e "$build" -e "$root" root)" = ''
expect 0 root/usr/bin/stiction control root/usr/share/stiction/problems/tp1.yaml -o tp1 --quiet
that "the program finds tp1's J" jq -e '.outcome.J | . > 468.066 and . < 468.068' tp1/summary.json

# the module finds library and program where the packages put them
expect 0 env PYTHONPATH=root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c \
  'import stiction; print(stiction.control("root/usr/share/stiction/problems/tp1.yaml").J)'
has out '^468\.066'

# an example of the dev package's own, built against it
export CMAKE_PREFIX_PATH=$PWD/root/usr
expect 0 cmake -S root/usr/share/stiction/examples -B examples
expect 0 cmake --build examples --target friction
unset CMAKE_PREFIX_PATH
expect 0 env LD_LIBRARY_PATH="$(dirname "$(find "$PWD/root" -name 'libstiction.so.*' | head -1)")" examples/friction
has out '^c = 1 N: x = '

# the sources: what git has is there, and what is configured there needs nothing else
expect 0 cpack --config "$build/CPackSourceConfig.cmake" -B "$PWD/sources"
tar -xzf "sources/stiction-$version.tar.gz"
git -C "$root" ls-files -z >listed 2>err || : # none where there is no git
sums() { (cd "$1" && xargs -0 -r md5sum) <listed 2>err; } # of what is there
that "the tarball has what git has" cmp <(sums "$root") <(sums "stiction-$version")
that "and no build" absent "stiction-$version/build"
expect 0 env http_proxy=http://127.0.0.1:1 https_proxy=http://127.0.0.1:1 cmake -S "stiction-$version" -B from-tarball -DSTICTION_TESTS=OFF -DSTICTION_BENCH=OFF
verdict
