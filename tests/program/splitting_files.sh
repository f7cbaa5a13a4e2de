#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The splitting papers' problems through the program: check and its echo, simulate with its events, control.
#   usage: tests/program/splitting_files.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

for name in glowinski-2004-5.1 glowinski-2004-5.2 glowinski-2004-gearbox shiau-6.2 shiau-6.2-printed shiau-6.3; do
  expect 0 "$PROGRAM" check "$problems/$name.yaml"
  has out '^substeps   friction [0-9.e-]+ s, elastic [0-9.e-]+ s$'
  sed -n '/as understood/,$p' out | tail -n +2 >again.yaml
  expect 0 "$PROGRAM" simulate "$problems/$name.yaml" -o "$name"
  expect 0 "$PROGRAM" simulate again.yaml -o "again-$name"
  that "$name: its echo is the same problem" cmp "$name/trajectory.csv" "again-$name/trajectory.csv"
  that "$name: energy balances" jq -e '.energy | (.closure | fabs) < 1e-9 and .dissipated > 0' "$name/summary.json" >/dev/null
done
that "6.3: pushed from rest, three masses slide back, and stick at t*" awk -F, 'NR > 1 {
  slid += NR < 8 && $2 < 0.01 && $3 > 0.39 && $3 < 0.40 && $4 == "slip-"
  stuck += NR > 4 && $3 == 4 && $4 == "stick" } END { exit !(NR == 7 && slid == 3 && stuck == 3) }' shiau-6.3/events.csv
that "6.2: the corrected force gives the printed solution, the printed one does not" jq -es '
  (.[0].outcome.x_T | ((.[0] + 1/6) | fabs) < 0.01 and ((.[1] - 4/3) | fabs) < 0.01) and
  (.[1].outcome.x_T | ((.[0] + 1/6) | fabs) > 0.5)' shiau-6.2/summary.json shiau-6.2-printed/summary.json >/dev/null

# the control acts on every variant
coarse=(--set search.method=pds --set time.step=0.01 --set control.target.position=0.5 --set search.step=0.1 --quiet)
gear=$problems/glowinski-2004-gearbox.yaml
expect 0 "$PROGRAM" control "$gear" -o lie "${coarse[@]}"
expect 0 "$PROGRAM" control "$gear" -o strang "${coarse[@]}" --set scheme.name=strang
expect 0 "$PROGRAM" control "$gear" -o smooth "${coarse[@]}" --set scheme.multiplier=smooth --set scheme.eta=1e-3
for found in lie strang smooth; do
  that "$found: the target is met" jq -e '.outcome.x_T[0] - 0.5 | fabs < 1e-6' "$found/summary.json" >/dev/null
done

# a coupled mass strikes its stop while the other rests at its own
ends() { tail -1 "$1/trajectory.csv" | cut -d, -f2; }
expect 0 "$PROGRAM" simulate "$root/tests/program/together.yaml" -o exact --set scheme.name=event --quiet
for name in lie strang; do
  for step in 1e-3 5e-4 2e-4 1e-4; do
    expect 0 "$PROGRAM" simulate "$root/tests/program/together.yaml" -o "$name-$step" --set scheme.name=$name --set time.step=$step --quiet
    that "$name: steps of $step come within their length of the exact motion" awk -v a="$(ends exact)" -v b="$(ends "$name-$step")" \
      -v step=$step 'BEGIN { exit !((a - b) ^ 2 < (0.7 * step) ^ 2) }'
  done
done
every_summary .
verdict
