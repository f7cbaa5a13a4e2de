#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Control of each kind of model by its schemes and laws: where a known u leads becomes the target, and the search has to
# find that u again.
#   usage: tests/program/control_kinds.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# finds_again NAME U FILE OPTIONS...: simulated with U, and with none, which leads elsewhere; then searched for
finds_again() {
  local name=$1 u=$2 file=$problems/$3.yaml options=("${@:4}") target
  expect 0 "$PROGRAM" simulate "$file" "${options[@]}" --control "$u" -o "known-$name"
  expect 0 "$PROGRAM" simulate "$file" "${options[@]}" -o "free-$name"
  target=$(jq -c '{position: .outcome.x_T, velocity: .outcome.v_T}' "known-$name/summary.json")
  that "$name: it takes a control to get there" jq -en --argjson to "$target" --slurpfile free "free-$name/summary.json" \
    '[$to.position, $free[0].outcome.x_T] | transpose | any(.[]; .[0] - .[1] | fabs > 1e-3)' >/dev/null
  expect 0 "$PROGRAM" control "$file" "${options[@]}" -o "found-$name" --set search.method=pds --set control.matrix=1 \
    --set "control.target=${target//:/: }"
  has out '^target met'
  that "$name: position and velocity are met" jq -e '.outcome | .["E1"] <= 1e-6 and .["E2"] <= 1e-6' "found-$name/summary.json" \
    >/dev/null
  that "$name: by the control known before" jq -e --argjson u "[$u]" \
    '[.outcome.u, $u] | transpose | all(.[]; .[0] - .[1] | fabs < 1e-6)' "found-$name/summary.json" >/dev/null
}

coarse=(--set time.steps=100)
finds_again chain-paper 0.3,-0.4 chain-dynamical "${coarse[@]}" --set scheme.name=implicit_euler
finds_again chain-paper-free 0.3,-0.4 chain-dynamical "${coarse[@]}" --set scheme.name=implicit_euler \
  --set model.end=free --set 'model.end_force=0.7*sin(0.8*t)'
finds_again semi-paper 0.3,-0.4 chain-semi-dynamical "${coarse[@]}" --set scheme.name=implicit_euler
finds_again semi-symplectic 0.3,-0.4 chain-semi-dynamical "${coarse[@]}" --set scheme.name=symplectic
finds_again quasistatic-paper 0.9,0.4 chain-quasistatic "${coarse[@]}" --set scheme.name=implicit_euler
finds_again quasistatic-increment 0.9,0.4 chain-quasistatic "${coarse[@]}" --set scheme.name=increment
finds_again chain-three 0.3,-0.4,0.2 chain-dynamical "${coarse[@]}" --set 'model.springs=[2, 1, 3, 1]' \
  --set model.thresholds=0.4 --set model.mass=1 --set 'model.force=sin(t)'
finds_again chain-five 0.9,0.4,0.8,0.6,0.7 chain-quasistatic "${coarse[@]}" --set 'model.springs=[2, 1, 3, 1, 2, 2]' \
  --set model.thresholds=0.4 --set 'model.force=sin(t/2)'

finds_again lie-full-mass 0.3,-0.2 shiau-6.2 "${coarse[@]}"
finds_again lie-uzawa 0.3,-0.2 shiau-6.2 "${coarse[@]}" --set scheme.solver=fixed_point --set scheme.tolerance=1e-12
finds_again strang-full-mass 0.3,-0.2 shiau-6.2 "${coarse[@]}" --set scheme.name=strang
finds_again strang 0.6 glowinski-2004-5.2 --set time.step=0.01 --set scheme.name=strang
finds_again elastic-exact 0.3,-0.2 shiau-6.2 "${coarse[@]}" --set scheme.elastic=exact
finds_again smooth 0.3,-0.2 shiau-6.2 "${coarse[@]}" --set scheme.multiplier=smooth --set scheme.eta=1e-3
finds_again gearbox 0.6 glowinski-2004-gearbox --set time.step=0.005

for law in viscous bingham bingham_cubic coulomb; do finds_again $law 3 dashpot-control --set model.law=$law; done
for selection in nearest_velocity max_dissipation; do
  finds_again $selection 3 dashpot-control --set model.law=bingham_nonmonotone --set model.selection=$selection
done
finds_again support 3 gotika-6d-support --set time.end=1.2
that "the support is touched on the way" grep -q contact found-support/events.csv

# through impacts by the derivatives of moreau's own steps: the first mass bounces, the second alone is pulled
cat >wall.yaml <<'END'
model:
  kind: friction
  mass: [1, 2]
  friction: [0.5, 1]
  stiffness: [[4, -4], [-4, 4]]
  stops: {upper: [0.5, null], restitution: [0.6, 0]}
  x0: [0, 0]
  v0: [2, 0]
time: {end: 2, step: 0.005}
control:
  matrix: [[0], [1]]
  target: {position: [0.2, 0.4], velocity: [0, 0]}
  signal: {kind: piecewise_constant, segments: 8}
search: {method: sqp}
END
expect 0 "$PROGRAM" control wall.yaml -o wall
has out '^target met'
that "by less than two hundred simulations" jq -e '.counts.evaluations < 200' wall/summary.json >/dev/null
# a cart with a pole that hits a buffer, by the derivatives of moreau's steps; and a wall, by those of the motion itself
cat >buffer.yaml <<'END'
model:
  kind: mechanism
  coordinates: {x: m, theta: rad}
  bodies:
    cart: {mass: 1, at: [x, 0]}
    bob: {mass: 0.1, at: [x + sin(theta), -cos(theta)]}
  friction: {x: 2, theta: 0.02}
  stops: {upper: {x: 0.3}, stiffness: {x: 2000}}
  v0: {x: 2}
scheme: {name: moreau, theta: 0.6}
time: {end: 3, step: 0.005}
control:
  on: [x]
  signal: {kind: piecewise_constant, segments: 12}
  target: {position: {x: -0.5, theta: 0}, velocity: 0}
search: {method: sqp}
END
sed 's/stiffness: {x: 2000}/restitution: {x: 0.5}/; s/moreau, theta: 0.6/event/' buffer.yaml >bounce.yaml
for problem in buffer bounce; do
  expect 0 "$PROGRAM" control $problem.yaml -o $problem
  has out '^target met'
  that "$problem: by less than two hundred simulations" jq -e '.counts.evaluations < 200' $problem/summary.json >/dev/null
done
that "the cart bounces" grep -q impact bounce/events.csv
every_summary .
verdict
