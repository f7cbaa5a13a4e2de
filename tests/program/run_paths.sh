#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Libraries are loaded from absolute folders alone: no entry of a RUNPATH or RPATH, of any file built or installed, is empty or relative,
# for the loader looks for such an entry in the current folder. Libraries planted in the current folder are not loaded.
#   usage: tests/program/run_paths.sh PROGRAM BUILD
set -uo pipefail
PROGRAM=$1 build=$2
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# paths_are_absolute FOLDER: of all its ELF files that are linked; `seen` is how many
paths_are_absolute() {
  find "$1" -type f \( -perm -u+x -o -name '*.so*' \) ! -name '*.o' -exec readelf -dW {} + 2>/dev/null >dynamic
  seen=$(grep -c 'Dynamic section at offset' dynamic)
  awk '/^File: / { file = $2 }
       /\((RPATH|RUNPATH)\)/ {
         sub(/.*\[/, ""); sub(/\]$/, "")
         n = split($0, entry, ":")
         for (i = 1; i <= n; i++) if (entry[i] !~ "^/") print file ": the entry \"" entry[i] "\" of " $0
         if (n == 0) print file ": an empty path"
       }' dynamic >relative
  that "paths in $1 are absolute: $(head -5 relative | xargs)" test ! -s relative
}
paths_are_absolute "$build"
that "there are programs, libraries and tests" test "$seen" -gt 20
expect 0 cmake --install "$build" --prefix "$PWD/prefix"
paths_are_absolute prefix
that "the program and the library are installed" test "$seen" -eq 2

# every library that the program needs, in the current folder
mkdir planted
printf '#include <stdio.h>\n__attribute__((constructor)) static void load(void) { fclose(fopen("loaded", "w")); }\n' >planted.c
expect 0 cc -shared -fPIC planted.c -o planted.so
ldd "$PROGRAM" | awk '$2 == "=>" { print $1 }' >needed
has needed '^libyaml'
while read -r name; do cp planted.so "planted/$name"; done <needed
cd planted || exit 1
for program in "$PROGRAM" ../prefix/bin/stiction; do
  expect 0 env -u LD_LIBRARY_PATH "$program" --version
  has out '^stiction '
  that "$program loads nothing of the current folder" absent loaded
done
verdict
