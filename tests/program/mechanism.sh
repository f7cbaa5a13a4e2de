#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Mechanisms from file to results: what check shows, closed forms, controls and targets by names, a robot's file and its limits.
#   usage: tests/program/mechanism.sh PROGRAM
# shellcheck disable=SC2016
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# holds FILE JQ [ARG..]: a condition on a JSON file
holds() {
  local file=$1 condition=$2
  shift 2
  that "$file: $condition" jq -e "$@" "$condition" "$file" >/dev/null
}
# to REAL WITHIN: of jq, whether a number is that near
near='def near($x; $within): . - $x | fabs < $within; '

expect 0 "$PROGRAM" check "$problems/cart-pole.yaml"
has out '^model +mechanism, 2 degrees of freedom, 1 control$'
has out '^start +x += 1 m, sticks by at most 2 N$'
has out '^ +theta += 0 rad, in balance$'
has out '^mass +1\.1 +0\.1$'
has out '^rate +3\.285 1/s at x0'
expect 0 "$PROGRAM" check "$problems/puma.yaml" --json
holds out '.start.coordinates[1].sticks == false and .start.coordinates[0].sticks and (.start.mass | length == 6)'
holds out '.warnings == []'
# rotors without inertia behind viscous friction
expect 0 "$PROGRAM" check "$problems/puma.yaml" --json --set model.armature=null
holds out '.warnings[0].message | test("stiff: the fastest rate")'
expect 0 "$PROGRAM" check "$problems/puma.yaml" --json --set model.armature=null --set scheme.name=moreau
holds out '.warnings == [] and .problem.scheme == {name: "moreau", theta: 0.5}'

# the plate slips where tan(phi) = mu, and s'' - phi'^2 s = g (sin(phi) - mu cos(phi)) - 2 mu phi' s' after that
expect 0 "$PROGRAM" simulate "$problems/plate.yaml" -o plate -q
that "slips at atan(mu)/0.3" awk -F, 'NR == 2 { exit !($3 - 1.268354590374550 < 1e-9 && 1.268354590374550 - $3 < 1e-9) }' plate/events.csv
holds plate/summary.json "$near.outcome.x_T[0] | near(2.47818849713218; 1e-9)"
# a block as a mechanism: least time sqrt(2 m L (1/(U - c) + 1/(U + c))) from rest to rest
cat >least.yaml <<'END'
model: {kind: mechanism, coordinates: {x: m}, bodies: {b: {mass: 1, at: [x, 0]}}, friction: {x: 1}}
time: {end: free, step: 0.01}
control:
  minimize: time
  bounds: {lower: -3, upper: 3}
  target: {position: {x: 1}, velocity: 0}
  signal: {kind: piecewise_constant, segments: 2, lengths: free}
END
expect 0 "$PROGRAM" control least.yaml -o least -q
holds least/summary.json "$near.outcome.end | near(1.224744871391589; 1e-9)"
# m g l (cos b - cos a) = c (a + b) from turning point to turning point, until it sticks
expect 0 "$PROGRAM" simulate "$problems/pendulum-coulomb.yaml" -o pendulum -q
turns=$(awk 'function left(a, b) { return 9.81 * (cos(b) - cos(a)) - 0.3 * (a + b) }
  BEGIN { a = 2; for (n = 0; 9.81 * sin(a) > 0.3 && n < 99; n++) { low = -a * (1 - 1e-9); high = a
      for (i = 0; i < 200; i++) { b = (low + high) / 2; if (left(a, b) > 0) low = b; else high = b }
      a = b < 0 ? -b : b }
    print n, a }')
that "as many half swings as by energies" test "$(grep -c slip pendulum/events.csv)" -eq "${turns% *}"
holds pendulum/summary.json "$near.outcome.x_T[0] | fabs | near(\$x; 1e-7)" --argjson x "${turns#* }"
# by steps: first order, verified by the motion itself; elastic stops are theirs alone
moreau=(--set scheme.name=moreau)
expect 0 "$PROGRAM" simulate "$problems/pendulum-coulomb.yaml" "${moreau[@]}" --set output.verify=yes -o steps -q
holds steps/summary.json "$near.outcome.x_T[0] | near(\$x; 1e-3)" --argjson x "$(jq '.outcome.x_T[0]' pendulum/summary.json)"
holds steps/summary.json '.energy | .closing_error == 0 and (.numerical | fabs) < 0.01'
expect 0 "$PROGRAM" converge "$problems/pendulum-coulomb.yaml" "${moreau[@]}" --set time.end=4 -o orders
has out '^moreau +[0-9.]+'
expect 2 "$PROGRAM" check "$problems/pendulum-coulomb.yaml" --set 'model.stops={upper: [3], stiffness: [1e4]}'
has err 'the scheme event takes no elastic stops \(expected moreau\)'
expect 0 "$PROGRAM" check "$problems/pendulum-coulomb.yaml" "${moreau[@]}" --set 'model.stops={upper: [3], stiffness: [1e4]}'
for rigid in .inf null; do # also by name; event takes rigid stops only
  expect 0 "$PROGRAM" check "$problems/pendulum-coulomb.yaml" --set "model.stops={upper: [3], stiffness: {1: $rigid}}"
done
# the same by links, by energies, and as a robot
cat >rod.urdf <<'X'
<robot name="rod">
  <link name="ground"/>
  <link name="rod"><inertial><origin xyz="0 0 -1"/><mass value="1"/></inertial></link>
  <joint name="theta" type="revolute"><parent link="ground"/><child link="rod"/><axis xyz="0 1 0"/><dynamics friction="0.3"/>
    <limit effort="4" lower="-3" upper="1"/></joint>
</robot>
X
cat >links.yaml <<'Y'
model: {kind: mechanism, links: {theta: {length: 1, mass: 1, centre: 1, inertia: 0}}, friction: 0.3, x0: 2 - pi/2}
time: {end: 40, step: 0.01}
Y
cat >energies.yaml <<'Y'
model: {kind: mechanism, coordinates: {theta: rad}, kinetic: "theta'^2/2", potential: -g*cos(theta), parameters: {g: 9.81}, friction: {theta: 0.3}, x0: {theta: 2}}
time: {end: 40, step: 0.01}
Y
cat >robot.yaml <<'Y'
model: {kind: mechanism, urdf: rod.urdf, x0: [2]}
time: {end: 40, step: 0.01}
Y
for way in links energies robot; do
  expect 0 "$PROGRAM" simulate $way.yaml -o $way -q
done
holds energies/summary.json "$near.outcome.x_T[0] | near(\$x; 1e-9)" --argjson x "$(jq '.outcome.x_T[0]' pendulum/summary.json)"
holds robot/summary.json "$near.outcome.x_T[0] | near(\$x; 1e-9)" --argjson x "$(jq '.outcome.x_T[0]' pendulum/summary.json)"
holds links/summary.json "$near.outcome.x_T[0] + 1.5707963267948966 | near(\$x; 1e-9)" --argjson x "$(jq '.outcome.x_T[0]' pendulum/summary.json)"
expect 0 "$PROGRAM" check robot.yaml --json
holds out '.warnings[0].message | test("x0 of theta, 2 rad, is outside of the limits")'

# controls and targets by names; a robot's effort bounds its controls, unless the file does
expect 0 "$PROGRAM" check "$problems/cart-pole.yaml" --json
holds out '.problem.control | .matrix == [[1], [0]] and .target.position[0] == 0 and (.target.position[1] > 3.14)'
cat >>robot.yaml <<'Y'
control: {target: {position: {theta: 1}}}
Y
expect 0 "$PROGRAM" check robot.yaml --json
holds out '.problem.control.bounds == {lower: [-4], upper: [4]}'
expect 0 "$PROGRAM" check robot.yaml --json --set 'control.bounds={lower: -1, upper: 2}'
holds out '.problem.control.bounds == {lower: [-1], upper: [2]}'

# names and units in what is written; the echo of a run is a problem file, from any folder
has pendulum/trajectory.csv 'x:theta'
jq .problem robot/summary.json >again.yaml
mkdir -p elsewhere
mv again.yaml elsewhere
expect 0 "$PROGRAM" simulate elsewhere/again.yaml -o again -q
holds again/summary.json '.outcome.x_T == $x' --argjson x "$(jq .outcome.x_T robot/summary.json)"
expect 0 "$PROGRAM" simulate robot.yaml --set model.friction=0 --set time.end=1 -o free -q
holds free/summary.json '.energy.dissipated == 0'

# what hangs in balance without friction has no events by roundings; kinks count as events
expect 0 "$PROGRAM" simulate "$problems/two-links.yaml" --set model.friction=0 --set scheme.max_events=20 -o hangs -q
expect 0 "$PROGRAM" simulate energies.yaml --set 'model.potential=-g*cos(theta) + abs(sin(20*theta))/100' --set time.end=1 -o kinks -q
expect 4 "$PROGRAM" simulate energies.yaml --set 'model.potential=-g*cos(theta) + abs(sin(20*theta))/100' --set time.end=1 --set scheme.max_events=2 -o more -q
has err 'events accumulate'
expect 4 "$PROGRAM" simulate energies.yaml --set 'model.force={theta: "theta > 1 ? -30 : 30"}' --set model.x0=1 --set time.end=3 -o along -q
has err 'slides along a kink'

# a search meets its target at a local minimum of the effort; its motion by a stricter tolerance ends there, too
expect 0 "$PROGRAM" control "$problems/two-links.yaml" -o lifted -q
holds lifted/summary.json '.outcome.refined | .["E1"] < 1e-9 and .["E2"] < 1e-9 and .J < 45 and .optimality.local_minimum == "yes"'
expect 0 "$PROGRAM" simulate "$problems/two-links.yaml" --control lifted --set scheme.tolerance=1e-12 -o strict -q
holds strict/summary.json '.outcome | .["E1"] < 1e-9 and .["E2"] < 1e-9'
that "the same effort" jq -es '.[0].outcome.refined.J - .[1].outcome.J | fabs < 1e-9' {lifted,strict}/summary.json

# a search by steps through impacts is warned of, where the motion itself has their derivatives
walls=(--set 'model.stops={upper: {x: 2}}')
expect 0 "$PROGRAM" check "$problems/cart-pole.yaml" "${walls[@]}" "${moreau[@]}" --json
holds out '.warnings[0].message | test("derivatives of steps lack how the times of impacts change")'
expect 0 "$PROGRAM" check "$problems/cart-pole.yaml" "${walls[@]}" --json
holds out '.warnings == []'

# effort around what holds a weight is the effort without the weight; thresholds of both directions are printed
cat >lift.yaml <<'Y'
model: {kind: mechanism, coordinates: {x: m}, kinetic: "x'^2/2", potential: 3*x, friction: "0.4*(x' > 0 ? 1 : 1.6)"}
time: {end: 2, step: 0.01}
control:
  signal: {kind: piecewise_constant, segments: 6}
  start: hold
  minimize: {effort: 1, around: hold}
  target: {position: {x: 1}, velocity: 0}
Y
expect 0 "$PROGRAM" control lift.yaml -o lift -q
expect 0 "$PROGRAM" control lift.yaml --set model.potential=0 --set control.start=0 --set control.minimize=effort -o level -q
that "the same effort and u" jq -es '.[0].outcome as $a | .[1].outcome as $b | ($a.f / $b.f - 1 | fabs < 1e-7) and
  ([$a.u, $b.u | flatten] | transpose | map(.[0] - .[1] - 3 | fabs) | max < 1e-4)' {lift,level}/summary.json
holds lift/summary.json '.problem.control.minimize.around == [3]'
expect 0 "$PROGRAM" check lift.yaml --set model.potential=0
has out "sticks by at most 0.4 N against x' > 0, 0.64 N against x' < 0"
expect 0 "$PROGRAM" check lift.yaml --json --set model.potential=0
holds out "$near.start.coordinates[0] | .threshold == 0.4 and (.threshold_down | near(0.64; 1e-15))"
expect 0 "$PROGRAM" check lift.yaml --json --set 'control.minimize.around={x: 2}'
holds out '.problem.control.minimize.around == [2]'
expect 2 "$PROGRAM" check lift.yaml --set 'control.minimize={time: 1, around: hold}'
has err 'control.minimize.around: around without effort'
expect 2 "$PROGRAM" check lift.yaml --set 'model.potential=sqrt(0.5 - x)'
has err 'control.minimize.around: hold, but the forces at the target are not finite'
expect 2 "$PROGRAM" check lift.yaml --set 'model={kind: friction, mass: 1, friction: 1}' --set control.start=0 --set 'control.target.position=1'
has err 'control.minimize.around: hold without a mechanism'

# places of points at T and on the way, and in the rows of the trajectory, also as HDF5
expect 0 "$PROGRAM" control "$problems/reach.yaml" -o reach -q
# at T: the hand at a time, its columns by name
at() { awk -F, -v t="$2" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } $1 == t { print $column["hand.x"], $column["hand.y"] }' "$1/trajectory.csv"; }
that "the hand ends at (1, 1)" awk -v at="$(at reach 2)" 'BEGIN { split(at, p, " "); exit !((p[1] - 1)^2 + (p[2] - 1)^2 < 1e-11) }'
that "the hand is at height 0 at 1.5 s" awk -v at="$(at reach 1.5)" 'BEGIN { split(at, p, " "); exit !(p[2]^2 < 1e-11) }'
expect 0 "$PROGRAM" simulate "$problems/reach.yaml" --control reach --set output.format=hdf5 -o reach5 -q
expect 0 "$PROGRAM" report reach5 -q
# the drawing: 8 instants of two links of the same length, and the same two that move
sed -n '/<figure id="mechanism">/,/<\/figure>/p' reach5/report.html >drawing.html
that "the drawing has links of one length" awk -F'"' '/^<line/ { n++; l = sqrt(($2 - $6)^2 + ($4 - $8)^2); if (n == 1) first = l
  if (l - first > 0.2 || first - l > 0.2) exit 1 } END { exit !(first > 50) }' <(sed 's/<line/\n<line/g' drawing.html)
that "the drawing moves" test "$(grep -o '<animate ' drawing.html | wc -l)" -eq $((2 * 4 + 5 * 2))
that "the drawing has no scripts" test -z "$(grep '<script' drawing.html)"
# forces that hold at the start; places of links by name; speeds of a robot's file
expect 0 "$PROGRAM" check "$problems/puma.yaml" --json --set control.start=hold
holds out "$near.problem.control.start[0] | (.[1] | near(31.64; 0.01)) and (.[2] | near(6.035; 0.001)) and .[0] == 0"
expect 2 "$PROGRAM" check "$problems/cart-pole.yaml" --set control.start=hold --set model.x0.theta=1
has err 'control.start: hold, but no control acts on theta alone'
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --set control.start=hold
has err 'control.start: hold without a mechanism'
expect 0 "$PROGRAM" simulate "$problems/puma.yaml" --set 'model.points={hand: tool0}' --set model.x0=0 --set time.end=0.01 -o tool -q
that "the tool of the file is where its origins are" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
  NR == 2 { exit !(($column["hand.x"] - 0.4521)^2 + ($column["hand.y"] + 0.15005)^2 + ($column["hand.z"] - 0.5318)^2 < 1e-10) }' tool/trajectory.csv
expect 2 "$PROGRAM" check "$problems/puma.yaml" --set 'model.points={hand: tool1}'
has err 'model.points.hand: no link tool1'
expect 0 "$PROGRAM" simulate "$problems/two-links.yaml" --set 'model.points={hand: fore}' --set model.x0=0 --set time.end=0.01 -o fore -q
that "a link's place is its end" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
  NR == 2 { exit !(($column["hand.x"] - 2)^2 + $column["hand.y"]^2 < 1e-20) }' fore/trajectory.csv
expect 0 "$PROGRAM" check "$problems/puma.yaml" --set 'control.limits={speed: urdf}'
has out 'speeds within limits'
expect 2 "$PROGRAM" check "$problems/two-links.yaml" --set 'control.limits={speed: urdf}'
has err 'control.limits.speed: urdf without a robot.s file'
# limits of points at all times
expect 0 "$PROGRAM" control "$problems/reach.yaml" --set 'control.limits.points={hand: [{at_least: -0.8}, null]}' -o limited -q
reached() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 || (NR > 1 && $column["hand.x"] < least) { least = $column["hand.x"] } END { print least }' "$1/trajectory.csv"; }
that "without limits the hand goes further" awk -v least="$(reached reach)" 'BEGIN { exit !(least < -1) }'
that "the hand stays within limits" awk -v least="$(reached limited)" 'BEGIN { exit !(least > -0.800001) }'
holds limited/summary.json '.outcome.quantities[] | select(.name == "limits.points.hand.x") | .value > -0.800001'
expect 2 "$PROGRAM" check "$problems/reach.yaml" --set 'control.limits.points={hand: [1, null]}'
has err 'control.limits.points.hand: entry 1 is a number \(expected .at_least: NUMBER, at_most: NUMBER. or null\)'
expect 2 "$PROGRAM" check "$problems/reach.yaml" --set 'control.target.points={elbwo: [0, 0]}' --set 'control.target.via=null'
has err 'control.target.points.elbwo: no point elbwo'
expect 2 "$PROGRAM" check "$problems/reach.yaml" --set 'control.target.points={hand: [1]}'
has err 'control.target.points.hand: 1 entries \(expected 2\)'
expect 2 "$PROGRAM" check "$problems/reach.yaml" --set 'control.target.via=[{at: 1, position: {elbow: 1}}]'
has err 'no degree of freedom elbow'
expect 0 "$PROGRAM" check "$problems/reach.yaml" --json --set 'model.stops={lower: {upper: -2}, restitution: {fore: 0.5}}' --set 'control=null'
holds out '.problem.model.stops | .lower == [-2, null] and .restitution == [0, 0.5]'
expect 0 "$PROGRAM" check "$problems/reach.yaml" --set 'control.target.via=[{at: 1, position: {fore: {at_least: 0.2}}}]'

# numbers of the model by --set and in scenarios
expect 0 "$PROGRAM" check energies.yaml --json --set model.parameters.g=1.62
holds out '.start.coordinates[0].load > 1.62*0.9 and .start.coordinates[0].load < 1.62'
verdict
