#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Plans of strings and of sparse matrices: the same f as that of a dense chain of blocks, by steps and by events; T that is found; ranks; refusals.
#   usage: tests/program/plan_sparse.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# is NAME FILTER: of its summary
is() { that "$1: $2" jq -e ".outcome | $2" "$1/summary.json"; }

# A string of 9 nodes, 0.1 m apart: density 0.1 kg/m, tension 10 N, friction 2 N/m, forces as shapes in N/m.
cat >string.yaml <<'END_OF_FILE'
model: {kind: string, nodes: 9, length: 1, tension: 10, density: 0.1, friction: 2, x0: "0.02*sin(pi*s)"}
time: {end: 0.4, steps: 80}
scheme: {theta: 0.6}
control:
  matrix: {shapes: ["exp(-50*(s-0.3)^2)", "exp(-50*(s-0.7)^2)"]}
  signal: {kind: piecewise_constant, segments: 4}
  bounds: {lower: -20, upper: 20}
  minimize: {effort: 1e-3, energy: 1, track: {velocity: 0}}
  target: {position: {nodes: [3, 7], values: [0.01, -0.01]}}
search: {local_starts: 3}
END_OF_FILE
# The same as blocks with dense matrices: masses 0.01 kg, springs 100 N/m, thresholds 0.2 N, forces times 0.1 m.
jq -n '[range(1; 10) / 10] as $s | {
  model: {kind: "friction", mass: [$s[] | 0.01], stiffness: {springs: [range(10) | 100]}, friction: 0.2, x0: [$s[] | 0.02 * (. * 3.141592653589793 | sin)]},
  time: {end: 0.4, steps: 80}, scheme: {theta: 0.6},
  control: {matrix: [$s[] | [0.1 * (-50 * (. - 0.3) * (. - 0.3) | exp), 0.1 * (-50 * (. - 0.7) * (. - 0.7) | exp)]],
    signal: {kind: "piecewise_constant", segments: 4}, bounds: {lower: -20, upper: 20},
    minimize: {effort: 1e-3, energy: 1, track: {velocity: 0}},
    target: {position: [null, null, 0.01, null, null, null, -0.01, null, null]}}, search: {local_starts: 1, max_evaluations: 1}}' >blocks.yaml
# as_blocks NAME [ARGUMENT..]: the point that the search of the string has found has the same f and T with the blocks
as_blocks() {
  local name=$1
  shift
  expect 0 "$PROGRAM" control blocks.yaml -q -o "$name-blocks" --set "control.start={from: $PWD/$name}" "$@"
  that "$name: f of the blocks is f of the string" jq -n -e "$(jq -c '[.outcome.f, .outcome.end]' "$name/summary.json") as \$a |
    $(jq -c '[.outcome.f, .outcome.end]' "$name-blocks/summary.json") as \$b | (\$a[0] - \$b[0] | fabs) < 1e-9 * \$a[0] and \$a[1] == \$b[1]"
}
expect 0 "$PROGRAM" control string.yaml -q -o steps
is steps '.met and .end == 0.4 and ([.quantities[] | select(.name | startswith("minimize.track"))] | length) == 9'
as_blocks steps
expect 0 mpi_run 3 "$PROGRAM" control string.yaml -q -o steps-3
that "on any ranks" cmp steps/trajectory.csv steps-3/trajectory.csv
expect 0 "$PROGRAM" simulate string.yaml -q -o replay --control steps
that "its replay is the same motion" cmp steps/trajectory.csv replay/trajectory.csv

# By events: least time, a limit at all times, a point on the way, times at which u changes.
timed=(--set scheme=null --set scheme.name=event --set 'time={end: {at_most: 2, start: 0.4}, step: 0.005}' --set control.minimize=time)
limit='control.limits.velocity.upper={"3": 0.05}'
expect 0 "$PROGRAM" control string.yaml -q -o least "${timed[@]}" --set "$limit"
is least '.met and .end == .f and .f < 0.4 and ([.quantities[] | select(.name == "limits.velocity[3]") | .value] | max) <= 0.05 * (1 + 1e-6)'
as_blocks least "${timed[@]}" --set "$limit"
expect 0 "$PROGRAM" control string.yaml -q -o lengths "${timed[@]}" --set control.signal.lengths=free
is lengths '.met and (.lengths | length) == 4 and (.lengths | add) == .end'
expect 0 "$PROGRAM" control string.yaml -q -o via --set scheme=null --set scheme.name=event --set 'control.target.via=[{at: 0.2, position: {"5": 0}}]'
is via '.met and ([.quantities[] | select(.name == "target.via[1].position[5]") | .value | fabs] | max) < 1e-6'
as_blocks via --set scheme=null --set scheme.name=event --set 'control.target.via=[{at: 0.2, position: {"5": 0}}]'

# refusals, with the way out
refused() { # PATTERN [ARGUMENT..]
  local pattern=$1
  shift
  expect 2 "$PROGRAM" check string.yaml "$@"
  has err "$pattern"
  that "$pattern: one error" test "$(wc -l <err)" -eq 1
}
refused 'scheme.name: moreau with control.limits \(expected event: ' --set control.limits.velocity.upper=1
refused 'scheme.name: moreau with control.target.via \(expected event: ' --set 'control.target.via=[{at: 0.2, position: {"5": 0}}]'
refused 'scheme.name: moreau with control.signal.lengths \(expected event: ' --set control.signal.lengths=free
refused 'time.end: free with sparse matrices \(expected \{at_most: SECONDS\}, and start: SECONDS\)' "${timed[@]}" --set 'time={end: free, step: 0.01}'
refused 'model.matrices: sparse, of 3000 degrees of freedom, with event \(expected at most 2048\)' "${timed[@]}" --set model.nodes=3000
refused 'control: more than 3355 conditions and costs on 10000 degrees of freedom \(expected fewer of both\)' --set model.nodes=10000
refused 'search.ranks_per_evaluation: 2 with control.minimize \(expected 1: each rank simulates motions of its own\)' --set search.ranks_per_evaluation=2

every_summary .
verdict
