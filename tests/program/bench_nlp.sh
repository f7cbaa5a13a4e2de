#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# bench-nlp: the form of its table, what must hold of its numbers, the same numbers of SQP at every run, its arguments.
#   usage: tests/program/bench_nlp.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

expect 0 "$PROGRAM" --quick --csv
mv out first
mv err versions
that "heads" test "$(head -n 1 first)" = 'problem,n,m,solver,starts,met,evaluations,near,each,J,least J,ms'
has versions '^bench-nlp: NLopt [0-9.]+, PETSc [0-9.]+, Ipopt(: not built in| [0-9.]+)$'
ipopt=$(grep -vc 'not built in' versions)
for problem in tp1 joints-2-a; do
  that "the solvers on $problem" test "$(awk -F, -v p=$problem '$1 == p { printf "%s ", $4 }' first)" = \
    "sqp slsqp slsqp+ almm almm+ $( ((ipopt)) && echo 'ipopt ipopt+ ipopt-H ipopt-H+ ')"
done
that "no more rows" test "$(tail -n +2 first | wc -l)" -eq $((2 * (5 + 4 * ipopt)))
that "whole rows: met of starts, near before the end, each no less than the least, no budget exceeded" awk -F, 'NR == 1 { next }
  NF != 12 || $5 != 3 || !($6 >= 0 && $6 <= 3) || !($12 >= 0) { exit 1 }
  $6 == 0 { for (k = 7; k <= 11; k++) if ($k != "") exit 1; next }
  !($8 >= 1 && $8 <= $7 && $7 <= 2000 && $9 * $6 >= $7 && $11 <= $10 && $11 > 0) { exit 1 }' first
that "SQP and SLSQP meet the target of tp1 from all starts" awk -F, \
  '$1 == "tp1" && ($4 == "sqp" || $4 == "slsqp") { n++; if ($6 != 3) exit 1 } END { if (n != 2) exit 1 }' first
# as many targets as variables: no freedom is left, and every method that meets them has the same J
that "one answer of tp1" awk -F, '$1 == "tp1" && $6 > 0 { if (n++ && ($11 - J) ^ 2 > 1e-8 * J ^ 2) bad = 1; J = $11 } END { exit bad || n < 2 }' first

expect 0 "$PROGRAM" --quick --csv
numbers() { awk -F, '$4 == "sqp" { NF = 11; print }' "$1"; }
that "SQP's rows are there" test "$(numbers first | wc -l)" -eq 2
that "the same numbers of SQP again" diff <(numbers first) <(numbers out)

# arguments
expect 0 "$PROGRAM" --help
that "help comes once" lines out '^usage: ' 1
for bad in --problem -o more; do
  expect 2 "$PROGRAM" --quick "$bad"
  has err '^bench-nlp: unknown argument'
  has err '^usage: '
done
verdict
