#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The string that three actuators steer to rest: the file's thousand nodes, and two hundred by direct search, where single
# ranks and two ranks together find the same control. And steps that are hard to solve: fewer of them, with waves of a few
# nodes' length.
#   usage: tests/ranks/string_control.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

met() { jq -e '.outcome | .["E1"] <= 1e-4 and .["E2"] <= 1e-4' "$1/summary.json" >/dev/null; }

coarse=(--set time.steps=100 --set scheme.theta=0.6)
expect 0 mpi_run 3 "$PROGRAM" control "$problems/string-control.yaml" -o whole --set search.stop_at=1e-4 \
  --set search.ranks_per_evaluation=2 "${coarse[@]}"
that "a thousand nodes: the target is met" met whole
for ranks in 1 2; do
  expect 0 mpi_run $((ranks + 1)) "$PROGRAM" control "$problems/string-control.yaml" -o "g$ranks" --set search.stop_at=1e-4 \
    --set search.ranks_per_evaluation=$ranks --set search.method=pds --set model.nodes=200 "${coarse[@]}" \
    --set 'control.target.position={nodes: [50, 100, 150], values: [0.01, -0.01, 0.02]}'
  that "G=$ranks: the target is met" met "g$ranks"
  jq '.outcome.u[]' "g$ranks/summary.json" >"$ranks"
done
that "groups find the same control" cmp 1 2

expect 0 "$PROGRAM" simulate "$problems/string-control.yaml" -o hard --set time.steps=50 --set scheme.theta=0.5 \
  --control 24,-16,24
verdict
