#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# All ranks end together: with one message and one exit code, whatever goes wrong; ranks may outnumber points.
#   usage: tests/ranks/ranks.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml

# one message for a bad file, however many ranks
sed 's/friction: 10/friction: -10/' "$tp1" >bad.yaml
for n in 1 2 4; do
  expect 2 mpi_run "$n" "$PROGRAM" control bad.yaml -o bad
  that "one message from $n ranks" test "$(grep -c 'model.friction' err)" -eq 1
  that "no directory is left" absent bad
  expect 2 mpi_run "$n" "$PROGRAM" control missing.yaml
  that "one message from $n ranks" test "$(grep -c '^missing.yaml' err)" -eq 1
done
expect 2 mpi_run 3 "$PROGRAM" control "$tp1" --dance
that "one message" test "$(grep -c 'unknown option' err)" -eq 1
expect 3 mpi_run 3 "$PROGRAM" control "$tp1" -o cut --set search.scheme_size=16 --set search.max_simplexes=2

# simulate and check under mpirun: rank 0 does it
expect 0 mpi_run 3 "$PROGRAM" simulate "$tp1" -o sim
expect 0 mpi_run 2 "$PROGRAM" check "$tp1"
that "said once" test "$(grep -c ': valid' out)" -eq 1
expect 0 mpi_run 2 "$PROGRAM" --version
that "said once" test "$(grep -c '^stiction ' out)" -eq 1

# more workers than points: said, and right
expect 0 mpi_run 8 "$PROGRAM" control "$tp1" -o many --set search.scheme_size=6 --set search.penalty=P --set search.restarts=3
has err '7 workers but only 6 points'

# a rank that dies takes the others with it
mpi_run 3 "$PROGRAM" control "$tp1" -o killed --set search.tolerance=1e-300 --set search.restarts=1000 --quiet >out 2>err &
that "the run is under way" soon 60 rows 1 killed/search.csv
worker=$(rank_pid killed 2)
that "rank 2 is there" test -n "$worker"
kill -KILL "$worker"
code=0
wait $! || code=$?
that "mpirun says so (exit $code)" test "$code" -ne 0
that "no rank is left" test -z "$(ranks_of killed)"
every_summary .
verdict
