#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A local method that never comes back, within malloc, holds up neither the search nor the end of the process, alone and on two
# ranks, even where the environment would have all threads share one arena of malloc.
#   usage: tests/ranks/hung_method.sh PROGRAM   (the program with tests/control/search/hang_in_malloc.c)
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# by a scheme without derivatives, as centered is of elastic stops: with them hybrid goes on by sqp, which is no library's
sed -e 's/^scheme:.*/scheme: {name: centered, multiplier: unregularized}/' -e 's/^model:/model:\n  stops: {upper: 1000, stiffness: 1}/' "$problems/tp1.yaml" >tp1.yaml
hybrid=(--set search.method=hybrid --set search.scheme_size=16)

expect 0 timeout 100 "$PROGRAM" control tp1.yaml -o alone "${hybrid[@]}"
has err '1 run of local methods failed .* or did not end there'
MALLOC_ARENA_MAX=1 expect 0 timeout 100 "$PROGRAM" control tp1.yaml -o one_arena "${hybrid[@]}"
has err '1 run of local methods failed .* or did not end there'
expect 0 mpi_run 2 timeout 100 "$PROGRAM" control tp1.yaml -o ranks "${hybrid[@]}"
has err '1 run of local methods failed .* or did not end there'

# so is PETSc's that goes round in circles, far away from where its numbers have digits left
expect 3 timeout 100 "$PROGRAM" control "$problems/signal-2x8.yaml" -q -o far --set search.method=tao:pounders \
  --set control.bounds={} --set control.target.position=1e20 --set search.restarts=0
has err '1 run of local methods failed in NLopt or PETSc, or did not end there'

# --- a service has such a method run in a process of its own: no other job waits for it
sed -e 's/^search:.*/search: {method: hybrid, scheme_size: 9, max_simplexes: 200}/' tp1.yaml >hangs.yaml
sed -e 's/^search:.*/search: {method: nlopt:cobyla}/' -e 's/^control:/control:\n  bounds: {lower: -1000}/' tp1.yaml >good.yaml
expect 0 "$PROGRAM" control good.yaml -o good -q
mkdir -p spool/incoming
cp hangs.yaml spool/incoming/1.yaml
cp good.yaml spool/incoming/2.yaml
sed 's/^search:.*/search: {method: pds, penalty: P, scheme_size: 9}/' tp1.yaml >spool/incoming/3.yaml
expect 0 mpi_run 2 timeout 100 "$PROGRAM" serve spool --drain --processes 2
that "all are done, the one that hangs at last" test "$(tail -1 out | cut -d' ' -f2 | tr -d :)-$(echo spool/done/*)" = "1-spool/done/1 spool/done/2 spool/done/3"
has spool/done/1/messages.txt '1 run of local methods failed .* or did not end there'
that "the second has the bytes of control" cmp <(stripped good) <(stripped spool/done/2)
verdict
