#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A run's warnings about its own numbers: friction that drives, energy brought in by the steps, a fixed point that stopped too
# early.
#   usage: tests/program/own_numbers.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

no_warning() { ! grep -q 'warning' "$1"; }
holds() { jq -e "$1" "$2/summary.json" >/dev/null; }

# lambda follows with a lag, and points along the motion after it has turned
cat >lag.yaml <<'END'
model: {kind: friction, mass: [1, 1], stiffness: {springs: [30, 20, 30]}, friction: [100, 0.1], x0: [0, 1], v0: [8, -3]}
time: {end: 5, steps: 100}
scheme: {name: centered, multiplier: regularized, epsilon: 20*step}
END
expect 0 "$PROGRAM" simulate lag.yaml -o lag
has err '^stiction simulate: warning: friction drove as well: it gave back [0-9.e-]+ J \(energy.negative_dissipation\)'
that "energy given back by friction is reported" holds '.energy | .negative_dissipation > 0.01 * .dissipated' lag
that "what it took falls by no more" awk -F, -v given="$(jq .energy.negative_dissipation lag/summary.json)" '
  NR > 2 && $4 < before { fell += before - $4 } { before = $4 } END { exit !(fell > 0 && fell <= given * (1 + 1e-9)) }' lag/energy.csv
expect 0 "$PROGRAM" simulate lag.yaml -o sign --set 'scheme={name: centered, multiplier: unregularized}'
that "the sign of v never drives" no_warning err
that "and gives nothing back" holds '.energy.negative_dissipation == 0' sign

# a smooth law wider than the drop of friction with speed drives at small speeds
cat >wide.yaml <<'END'
model:
  kind: friction
  mass: 1
  stiffness: 1
  friction: 2
  v0: 0.01
  force: "0.1*sin(t)"
  stribeck: {law: sqrt, beta: 0.9, epsilon: 1e-3}
time: {end: 10, steps: 1000}
scheme: {name: lie, multiplier: smooth, eta: 0.5}
END
expect 0 "$PROGRAM" simulate wide.yaml -o wide
has err 'warning: friction drove as well'
expect 0 "$PROGRAM" simulate wide.yaml -o narrow --set scheme.eta=1e-4
that "a narrow one does not" no_warning err

# ten steps of theta = 1/2 for a string; its waves take ten steps to and fro
cat >coarse.yaml <<'END'
model: {kind: string, nodes: 100, length: 1, tension: 10, density: 0.1, friction: 2, x0: "0.5*sin(pi*s)"}
time: {end: 1, steps: 10}
scheme: {name: moreau, theta: 0.5}
END
expect 0 "$PROGRAM" simulate coarse.yaml -o coarse
has err '^stiction simulate: warning: the steps themselves brought in [0-9.e-]+ J \(-energy.numerical\)'
that "energy brought in by the steps is reported" holds '.energy | -.numerical > 0.01 * ([.dissipated, .work] | max)' coarse
expect 0 "$PROGRAM" simulate coarse.yaml -o fine --set time.steps=10000
that "short ones do not" no_warning err

# a block that is thrown and stops within the first of its steps, ten times as far as in truth
cat >swallowed.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, v0: 1}
time: {end: 1000, steps: 100}
END
expect 0 "$PROGRAM" simulate swallowed.yaml -o swallowed
has err '^stiction simulate: warning: the steps themselves took away 0.5 J \(energy.numerical\)'
expect 0 "$PROGRAM" simulate swallowed.yaml -o shorter --set time.steps=100000
that "short ones do not take it" no_warning err
expect 0 "$PROGRAM" simulate swallowed.yaml -o part --set time.steps=10000
has err 'warning: the steps themselves took away 0.05 J .* less, and so may the scheme event$'

# nodes without mass jump with their load, in steps of any size
cat >jumps.yaml <<'END'
model:
  kind: chain
  case: quasistatic
  springs: [2, 1.5, 1]
  thresholds: [0.5, 0.4]
  force: [[{until: 1, value: 0.3}, {until: 2, value: 2}, {until: 3, value: -2}, {value: 0}], 0]
time: {end: 4, steps: 400}
scheme: {name: increment}
END
for steps in 400 40000; do
  expect 0 "$PROGRAM" simulate jumps.yaml -o "jumps$steps" --set "time.steps=$steps"
  has err 'warning: the steps themselves, or jumps of what has no mass .*, brought in 0.80[0-9]* J .*far shorter steps bring in less, jumps do not'
done

# thresholds 1000 : 1: x hardly changes, and yet the smaller one's multiplier is far from its own
cat >early.yaml <<'END'
model:
  kind: friction
  mass: [1, 1]
  stiffness: {springs: [10, 20, 10]}
  friction: [100, 0.1]
  x0: [0, 1]
  v0: [10, 0]
  force: ["200*sin(3*t)", "sin(2*t)"]
time: {end: 5, steps: 1000}
scheme: {name: centered, multiplier: unregularized, solver: fixed_point}
control: {target: {velocity: 0}}
search: {method: pds, max_evaluations: 100, restarts: 0}
END
expect 0 "$PROGRAM" simulate early.yaml -o early
has err 'warning: fixed_point has stopped too early: with its steps solved exactly x\(T\) is [0-9.e-]+ m off'
expect 0 "$PROGRAM" simulate early.yaml -o solved --set scheme.solver=exact
that "exact has nothing to tell" holds '.outcome.solver_error == null' solved
that "the printed error is the error" jq -es '([.[0].outcome.x_T, .[1].outcome.x_T] | transpose | map(.[0] - .[1] | fabs) | max) as $off |
  (.[0].outcome.solver_error.x_T - $off | fabs) <= 1e-12 and $off > 1e-3' early/summary.json solved/summary.json >/dev/null
expect 3 "$PROGRAM" control early.yaml -o steered --quiet
has err 'warning: fixed_point has stopped too early'
for problem in tp1 tp2; do
  expect 0 "$PROGRAM" simulate "$problems/$problem.yaml" -o "$problem" --set scheme.solver=fixed_point
  that "$problem: no word where the tolerance suggests it" no_warning err
  that "$problem: and yet its error is known" holds '.outcome.solver_error.x_T < 1e-4' "$problem"
done

# A force taken in pieces is 0 at t = 0 to round-off: nodes without mass and friction start all the same
cat >massless.yaml <<'END'
model: {kind: chain, case: quasistatic, springs: [1, 2, 3], thresholds: [1, 0], force: "3.7*sin(2.3*t)"}
time: {end: 2, steps: 10}
scheme: {name: event}
END
expect 0 "$PROGRAM" check massless.yaml --quiet
verdict
