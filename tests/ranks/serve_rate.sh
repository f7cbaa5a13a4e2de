#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# 20 problems with small schemes on 4 workers end at least 1.5 times sooner together than one after another. PROGRAM is
# linked with slow_evaluations.c: what is measured is how well the workers are kept busy, not this machine.
#   usage: tests/ranks/serve_rate.sh PROGRAM [PROBLEMS [OPTIONS of serve]]
set -uo pipefail
PROGRAM=$1 problems_each=${2:-20}
shift $(($# < 2 ? $# : 2))
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

fill() {
  mkdir -p "$1/incoming"
  for k in $(seq "$problems_each"); do
    sed -e "s/step: 0.0125}/step: 0.05}/" -e "s/friction: 10/friction: $((5 + k % 10)).$k/" \
      -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 9, max_simplexes: 25}/' "$problems/tp1.yaml" \
      >"$1/incoming/$k.yaml"
  done
}
# seconds SPOOL OPTIONS...: how long its problems take, but for the start of MPI
seconds() {
  local spool=$1
  shift
  fill "$spool"
  expect 0 mpi_run 5 "$PROGRAM" serve "$spool" --drain --quiet "$@"
  that "$spool: all are done" test "$(find "$spool/done" -mindepth 1 -maxdepth 1 | wc -l)" -eq "$problems_each"
  seconds=$(jq '.seconds' "$spool/status.json")
}
seconds together "$@"
together=$seconds
seconds alone --at-once 1 "$@"
alone=$seconds
echo "one after another $alone s, together $together s: $(jq -n "$alone / $together * 100 | round / 100") times sooner"
that "together at least 1.5 times sooner" test "$(jq -n "$alone >= 1.5 * $together")" = true
verdict
