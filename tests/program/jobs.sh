#!/usr/bin/env bash
# jobs/run.sh up to the search, with a cmake, mpirun and packages of the test's own.
#   usage: tests/program/jobs.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

mkdir -p clone bin
cp -r "$root/jobs" clone/
printf '#!/bin/sh\necho installed\n' >bin/dpkg-query
printf '#!/bin/sh\necho "$@"\n' >bin/mpirun
cat >bin/cmake <<'END'
#!/bin/sh
echo "$@" >>"$CALLS"
case $* in *--preset*) ;; *) echo '[ 42%] Building C object x.o'; [ -z "${FAILS:-}" ] || { echo 'x.c:1: error: no'; exit 1; } ;; esac
END
chmod +x bin/*
export PATH=$PWD/bin:$PATH CALLS=$PWD/calls

expect 0 clone/jobs/run.sh -n 3
has err '^building stiction in .*/clone/build/release, a few minutes$'
that "that is one line" test "$(wc -l <err)" -eq 1
has out '-n 3 .*/clone/build/release/bin/stiction control .*/tp1.yaml --force'
has calls '-DSTICTION_TESTS=OFF$'
has calls '--target stiction$'

# a cache that was copied with its clone is not CMake's to stumble over; one of these sources stays
mkdir -p clone/build/release
cache() { printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\n' "$1" "$1/build/release" >clone/build/release/CMakeCache.txt; }
cache "$PWD/clone"
touch clone/build/release/kept
expect 0 clone/jobs/run.sh
that "a cache of one's own stays" test -e clone/build/release/kept
cache /somewhere/else
expect 0 clone/jobs/run.sh
has err '^removing .*/clone/build/release: it was made for /somewhere/else$'
that "another's is removed" absent clone/build/release/kept

FAILS=1 expect 1 clone/jobs/run.sh
has err 'x.c:1: error: no'

# another program may hold the packages' lock for a while
printf '#!/bin/sh\necho missing\n' >bin/dpkg-query
sed '/case/d' bin/cmake >bin/apt-get
printf '#!/bin/sh\n"$@"\n' >bin/sudo
chmod +x bin/*
expect 0 clone/jobs/setup.sh
that "apt-get waits for it" test "$(grep -c 'DPkg::Lock::Timeout=300' calls)" -eq 2
verdict
