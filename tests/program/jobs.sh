#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
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
has err '^40 %$'
that "that is all" test "$(wc -l <err)" -eq 2
has out '-n 3 .*/clone/build/release/bin/stiction control .*/tp1.yaml --force'
has calls '-DSTICTION_TESTS=OFF$'
has calls '--target stiction$'

# a cache that was copied with its clone is not CMake's to stumble over; one of these sources stays
mkdir -p clone/build/release
cache() { printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\nCMAKE_CACHEFILE_DIR:INTERNAL=%s\n' "$1" "$1/build/release" >clone/build/release/CMakeCache.txt; }
cache "$PWD/clone"
touch clone/build/release/kept
expect 0 clone/jobs/run.sh
that "the user's own cache stays" test -e clone/build/release/kept
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

# for that of the lists apt-get does not wait: update is tried again while a program has it, no longer than 300 s; other mistakes end it
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$@" >>"$CALLS"
[ "$1" = update ] || exit 0
flock --nonblock "$LISTS" true || { echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)'; exit 100; } >&2
[ -z "${FAILS:-}" ] || { echo 'E: no network'; exit 100; } >&2
END
cat >bin/sleep <<'END'
#!/bin/sh
echo slept >>"$CALLS"
[ "$(grep -c slept "$CALLS")" -lt 3 ] || rm "$LISTS" # its owner has gone
END
chmod +x bin/sleep
mkdir tmp
export LISTS=$PWD/lists TMPDIR=$PWD/tmp
touch lists
exec 9<lists
flock 9
: >calls
expect 0 clone/jobs/setup.sh
that "update is tried until the lists are free, and then it installs" test \
  "$(cut -d' ' -f1 calls | paste -sd' ')" = 'update slept update slept update slept update install'
that "nothing is said of it" test "$(wc -l <err)" -eq 1
exec 9<lists
flock 9
: >calls
expect 1 env SECONDS=301 clone/jobs/setup.sh
has err 'Could not get lock /var/lib/apt/lists/lock'
that "not for ever" test "$(cut -d' ' -f1 calls | paste -sd' ')" = update
exec 9<&-
: >calls
FAILS=1 expect 1 clone/jobs/setup.sh
has err '^E: no network$'
that "what is no lock is not tried again, and nothing installed" test "$(cut -d' ' -f1 calls | paste -sd' ')" = update
that "no file stays" test "$(ls -A tmp)" = ''
verdict
