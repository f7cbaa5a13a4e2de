#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Messages and estimates that users met at the edge of what a file can describe: each names the true cause at its key.
#   usage: tests/program/causes.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# one PATTERN FILE [ARGUMENT..]: check refuses the file by one error, which matches
one() {
  local pattern=$1
  shift
  expect 2 "$PROGRAM" check "$@"
  has err "$pattern"
  that "$*: one error" test "$(wc -l <err)" -eq 1
}

cat >block.yaml <<'END'
model: {kind: friction, mass: 3, friction: 2, x0: [0]}
time: {end: free, step: 0.005}
control:
  minimize: {time: 1, effort: 0.1}
  target: {position: [1.5], velocity: [0]}
  bounds: {lower: -10, upper: 10}
  signal: {kind: piecewise_constant, segments: 8}
END

# a speed limit that cannot be kept within T, or that makes the first guess of T very long, is the cause, not time.step
one '^--set control.limits.speed=1e-6: control.limits.speed: a speed of at most 1e-06 m/s makes T so long' block.yaml --set control.limits.speed=1e-6
one 'control.limits.speed: at this speed target.position\[1\] = 1.5 is reached from .* after 3.75 s, but T is at most 2 s$' block.yaml \
  --set control.limits.speed=0.4 --set 'time.end={at_most: 2}'
expect 0 "$PROGRAM" check block.yaml --set control.limits.speed=0.76 --set 'time.end={at_most: 2}'
one 'control.limits.speed: at this speed target.via\[1\].position\[1\] = 2 is .* but its time is 1 s$' block.yaml \
  --set control.limits.speed=1.9 --set 'control.target.via=[{at: 1, position: [2]}]'

# the first guess of T where damping takes nearly all of the force: 1.5 m at (10 - 2) N / 100 N s/m, 18.75 s
expect 0 "$PROGRAM" check block.yaml --json --set model.damping=100
that "the guess has the damping of a block" jq -e '.problem.time.end.start - 18.75 | fabs < 1e-9' out
cat >slider.yaml <<'END'
model: {kind: mechanism, coordinates: {x: m}, bodies: {slider: {mass: 3, at: [x, 0]}}, viscous: {x: 100}, friction: {x: 2}}
END
sed 1d block.yaml >>slider.yaml
expect 0 "$PROGRAM" check slider.yaml --json
that "the guess has the damping of a mechanism" jq -e '.problem.time.end.start - 18.75 | fabs < 1e-9' out

verdict
