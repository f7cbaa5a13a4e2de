#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The hash of sources in a run covers everything that an answer depends on: the libraries, the reader of problem files, NLopt, PETSc.
#   usage: tests/program/sources.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
build=$(dirname "$PROGRAM")/..

expect 0 "$PROGRAM" --version
has out '^stiction [0-9.]+ \(sources [0-9a-f]{16}\)$'
hash=$(sed -nE "s/.*sources ([0-9a-f]+).*/\1/p" out)

hashed=$build/src/source_hash.txt
for room in sim/friction control/search src/file/text src/file/values src/file/model src/file/sections src/results src/run; do
  has "$hashed" "/$room/[a-z_]+\.c$"
  has "$hashed" "/$room/[a-z_]+\.h$"
done

# made LIST: the hash of the files that LIST names
made() {
  cmake -DLIST="$1" -DTEXT=text -DFUNCTION=made -DOUTPUT=made.c -P "$root/control/source_hash.cmake" &&
    grep -oE '[0-9a-f]{16}' made.c
}
before=$(made "$hashed")
cp "$root/src/file/values/force.c" force.c && echo >>force.c
sed "s|.*/src/file/values/force.c|$PWD/force.c|" "$hashed" >changed.txt
that "a changed reader of forces is another hash" test "$(made changed.txt)" != "$before"
for library in NLopt PETSc; do
  that "the version of $library counts" grep -rqE "$library [0-9.]+" "$build" --include=build.make --include=build.ninja
done

expect 0 "$PROGRAM" control "$problems/tp1.yaml" -o run --set search.scheme_size=9 -q
that "a run carries it" test "$(jq -r .sources run/checkpoint/run.json)" = "$hash"
jq '.sources = "0123456789abcdef"' run/checkpoint/run.json >run.json && mv run.json run/checkpoint/run.json
expect 2 "$PROGRAM" resume run
has err "begun by version .*sources 0123456789abcdef.*this is .*$hash"
verdict
