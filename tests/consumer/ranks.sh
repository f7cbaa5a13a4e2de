#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Examples that search by all ranks say the same on any number of them.
#   usage: tests/consumer/ranks.sh EXAMPLE_PROGRAM...
set -uo pipefail
programs=("$@")
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# near NUMBER NAME...: what has been found has each of these as "NAME = NUMBER", to 1e-6
near() {
  local number=$1 name
  shift
  for name; do
    awk -v n="$number" -v name="$name = " '(i = index($0, name)) { seen = 1; bad = (substr($0, i + length(name)) - n) ^ 2 > 1e-12 }
      END { exit !seen || bad }' alone || return 1
  done
}
for program in "${programs[@]}"; do
  expect 0 "$program"
  cp out alone
  that "$program says what it has found" test -s alone
  case ${program##*/} in
    *rosenbrock) that "the least is at (1, 1)" near 1 x y ;;
    *pendulum) that "it comes up" near 3.141592653589793 'q(T)' ;;
    *least_time) that "it arrives" near 1 'x(T)' && that "at rest" near 0 'v(T)' ;;
  esac
  for n in 1 2 3 4; do
    expect 0 mpi_run "$n" "$program"
    that "$program: the same on $n ranks" cmp out alone
  done
done
verdict
