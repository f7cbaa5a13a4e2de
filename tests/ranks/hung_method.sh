#!/usr/bin/env bash
# A local method that never comes back, within malloc, holds up neither the search nor the end of the process, alone and on two
# ranks, even where the environment would have all threads share one arena of malloc.
#   usage: tests/ranks/hung_method.sh PROGRAM   (the program with tests/control/search/hang_in_malloc.c)
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
cp "$problems/tp1.yaml" tp1.yaml
hybrid=(--set search.method=hybrid --set search.scheme_size=64)

expect 0 timeout 100 "$PROGRAM" control tp1.yaml -o alone "${hybrid[@]}"
has err '1 run of local methods failed .* or did not end there'
MALLOC_ARENA_MAX=1 expect 0 timeout 100 "$PROGRAM" control tp1.yaml -o one_arena "${hybrid[@]}"
has err '1 run of local methods failed .* or did not end there'
expect 0 mpi_run 2 timeout 100 "$PROGRAM" control tp1.yaml -o ranks "${hybrid[@]}"
has err '1 run of local methods failed .* or did not end there'
verdict
