#!/usr/bin/env bash
# Examples that search by all ranks say the same on any number of them.
#   usage: tests/consumer/ranks.sh EXAMPLE_PROGRAM...
set -uo pipefail
programs=("$@")
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
for program in "${programs[@]}"; do
  expect 0 "$program"
  cp out alone
  that "$program says what it has found" test -s alone
  for n in 1 2 3 4; do
    expect 0 mpi_run "$n" "$program"
    that "$program: the same on $n ranks" cmp out alone
  done
done
verdict
