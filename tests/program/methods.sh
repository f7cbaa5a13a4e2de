#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Every method on the control paper's problems reaches the minimisers that are known.
#   usage: tests/program/methods.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# METHOD PROBLEM J
reaches() {
  local out="$1-$2"
  expect 0 "$PROGRAM" control "$problems/$2.yaml" -q -o "$out" --set "search.method=$1" --set search.scheme_size=auto \
    --set search.penalty=P
  that "$1 meets $2's target" jq -e '.outcome["E1"] <= 1e-6 and .outcome["E2"] <= 1e-6' "$out/summary.json"
  that "$1 finds $2's least J" jq -e "(.outcome.J / $3 - 1 | fabs) < 1e-6" "$out/summary.json"
}
for method in nlopt:cobyla nlopt:bobyqa tao:pounders hybrid; do
  reaches $method tp1 468.06685
  reaches $method tp2 8785.5277
done
reaches nlopt:sbplx tp1 468.06685

for method in nlopt:COBYLA TAO:Pounders; do # in any case
  expect 3 "$PROGRAM" control "$problems/tp1.yaml" -q -o "$method" --set "search.method=$method" --set search.max_evaluations=17
  that "$method: the budget is used, and no more" jq -e '.counts.evaluations == 17 and .outcome.reason == "budget"' \
    "$method/summary.json"
  that "$method is echoed" jq -e ".problem.search.method == \"${method,,}\"" "$method/summary.json"
done
# MPI, begun for PETSc alone, keeps no folder of its own: all such programs would share it
TMPDIR=$PROGRAM expect 3 "$PROGRAM" control "$problems/tp1.yaml" -q -o alone --set search.method=tao:pounders --set search.max_evaluations=3
# PETSc is loaded where it is wanted: where it cannot be, that is said, and what wants none of it goes on
without_petsc() {
  # shellcheck disable=SC2016 # it is expanded by that shell
  unshare --mount sh -c 'for file in "$1"/libpetsc*.so.*; do mount --bind /dev/null "$file" || exit; done; shift; exec "$@"' sh \
    "$(pkg-config --variable=libdir PETSc)" "$PROGRAM" "$@"
}
if [ "$(id -u)" -eq 0 ] && unshare --mount true 2>/dev/null; then
  expect 0 without_petsc control "$problems/tp1.yaml" -q -o without
  expect 70 without_petsc control "$problems/tp1.yaml" -q -o none --set search.method=tao:pounders
  has err '^stiction control: .*PETSc cannot be loaded: .*libpetsc'
  that "one line" test "$(wc -l <err)" -eq 1
fi
every_summary .
verdict
