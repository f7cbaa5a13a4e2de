#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A target that is out of reach because friction holds the model at rest under every control within the bounds: `check` warns, and `control`
# says so before it searches. Where a force is as large as the threshold, or larger, at any time, nothing is said.
#   usage: tests/program/at_rest.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

cat >block.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.005}
control:
  target: {position: [1], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 10}
  bounds: {lower: -0.9, upper: 0.9}
search: {max_evaluations: 40}
END
cat >row.yaml <<'END'
model:
  kind: friction
  names: [first, last]
  mass: [1, 2]
  stiffness: {springs: [0, 3, 0]}
  damping: 0.1
  friction: [3, 2]
  x0: [0, 0.5]
  force: ["0.3*sin(3*t)", 0]
time: {end: 2, step: 0.005}
control: {target: {position: [0.3, null]}, bounds: {lower: [-0.9, -0.4], upper: [0.9, 0.4]}}
search: {max_evaluations: 40}
END

# still FILE OPTION..: nothing moves, which is reported at once; so it is: by the largest control the motion ends where it began
still() {
  expect 3 "$PROGRAM" control "$@" -o still
  has err 'the target is out of reach: nothing ever moves from rest \(proven\)'
  has err "$forces"
  that "nothing is written" absent still
  expect 0 "$PROGRAM" check "$@"
  has out '^warning    the target is out of reach: nothing ever moves'
}
# may FILE OPTION..: nothing is claimed
may() {
  expect 0 "$PROGRAM" check "$@"
  that "no claim: $*" lines out 'nothing ever moves' 0
}

for scheme in moreau event; do
  forces='The forces on joint 1 are at most 0.9 N within control.bounds, and its friction is 1 N\. What may help: wider control.bounds'
  still block.yaml --set scheme.name=$scheme
  forces='The forces on joint first are at most 2.[789][0-9]* N '
  still row.yaml --set scheme.name=$scheme
  expect 0 "$PROGRAM" simulate row.yaml --control 0.9,0.4 -o row --force -q --set scheme.name=$scheme
  that "it rests" jq -e '.outcome.x_T == [0, 0.5]' row/summary.json >jq.out
done
forces='at most 0.9 N'
still block.yaml --set 'model.stribeck={law: sqrt, beta: 0.3, epsilon: 0.1}'
still block.yaml --set control.signal.kind=piecewise_linear
still block.yaml --set 'control.target={velocity: [1]}'

# the joint that friction holds is named, not the one with the target, on which no force acts; or that there is no force at all
forces='The forces on joint first are at most 0\.9 N within control.bounds, and its friction is 3 N\.'
still row.yaml --set 'model={kind: friction, names: [first, last], mass: [1, 2], stiffness: {springs: [0, 3, 0]}, friction: [3, 0]}' \
  --set 'control={target: {position: [null, 0.3]}, matrix: [[1], [0]], bounds: {lower: -0.9, upper: 0.9}}'
forces='No force acts on any joint within control.bounds\. What may help: wider control.bounds$'
still block.yaml --set 'control.bounds={lower: 0, upper: 0}'

# a plan: its conditions on the state, at T, on the way and at all times
forces='The forces on joint 1 are at most 0.9 N within control.bounds, and its friction is 1 N'
still block.yaml --set control.minimize=effort
still block.yaml --set control.minimize=time --set time.end=free
still block.yaml --set 'control.target={via: [{at: 1, position: [0.5]}]}'
may block.yaml --set 'control.target={position: [{at_most: 1}]}'
may block.yaml --set control.minimize=effort --set control.bounds.upper=1
may block.yaml --set control.minimize=effort --set 'control.initial={position: [free]}'
may block.yaml --set 'control.target={position: [0], via: [{at: 1, position: [0]}]}'

# what may move, or be there: as large a force, one direction, part of the time, no bound, a start that moves or is the target
may block.yaml --set control.bounds.upper=1
may block.yaml --set control.bounds.lower=-1.1
may block.yaml --set 'control.bounds={upper: 0.9}'
may block.yaml --set model.v0=1
may block.yaml --set 'control.target={position: [0]}'
may block.yaml --set 'control.target={position: [1e-7]}'
may block.yaml --set 'model.force=0.3*sin(t)'
may block.yaml --set 'model.force=[{until: 1.9, value: 0}, {value: 0.2}]'
may row.yaml --set 'model.x0=[0, 0.7]'
may row.yaml --set 'model.friction=[3, 1.8]'
# friction that need not hold: by a scheme that lets joints creep, or smaller at some time, in one direction, or elsewhere
may block.yaml --set scheme.name=strang
may block.yaml --set 'model.friction=2 - t'
may block.yaml --set 'model.friction={forward: 1, backward: 0.5}'
may block.yaml --set model.surface_velocity=0.1
verdict
