#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Random problems by the program: what it says of itself is true, its echo is the same problem, ranks agree to the byte.
#   usage: tests/random/program.sh PROGRAM TEST_RANDOM [FIRST [COUNT]]
set -uo pipefail
PROGRAM=$1 TEST_RANDOM=$2 first=${3:-1} count=${4:-15}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

closes() { # DIR: the energy balance, as energy.csv has it, is that of summary.json, or overflows
  jq -e '.energy | .closure == null or .negative_dissipation >= 0 and
    (.work + (.surface // 0) - .stored - .dissipated - .numerical - .closure | fabs) <= 1e-9 * ((.work | fabs) + (.stored | fabs) + 1e-300)' \
    "$1/summary.json" >/dev/null
}

searched=0
for seed in $(seq "$first" $((first + count - 1))); do
  file=$seed.yaml
  "$TEST_RANDOM" --write "$seed" >"$file"
  "$PROGRAM" check "$file" --quiet 2>err
  code=$?
  if [ "$code" -eq 2 ] && grep -q 'without mass (expected less than\|what has no mass may stick' err; then continue; fi
  that "$seed is a problem" test "$code" -eq 0
  expect 0 "$PROGRAM" simulate "$file" -o "$seed" --quiet
  that "$seed: the printed energy balance is right" closes "$seed"
  # the echo is the same problem
  jq .problem "$seed/summary.json" >echo.json
  expect 0 "$PROGRAM" simulate echo.json -o "echo$seed" --quiet
  that "$seed: its echo moves alike" test "$(jq -c .outcome "$seed/summary.json")" = "$(jq -c .outcome "echo$seed/summary.json")"
  if [ "$searched" -eq 4 ] || ! grep -q '^search' "$file"; then continue; fi
  searched=$((searched + 1))
  "$PROGRAM" control "$file" -o "one$seed" --quiet 2>err
  code=$?
  that "$seed: control ends as it may, by $code" test "$code" -eq 0 -o "$code" -eq 3 -o "$code" -eq 4
  expect "$code" mpi_run 2 "$PROGRAM" control "$file" -o "two$seed" --quiet
  stripped "one$seed" >one.txt
  stripped "two$seed" >two.txt
  that "$seed: two ranks give the bytes of one" cmp one.txt two.txt
done
that "some are searched" test "$searched" -gt 2
verdict
