#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Names and units: in columns, pictures, the report, messages; degrees of freedom chosen by them.
#   usage: tests/figures/labels.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

cat >named.yaml <<'END'
model:
  kind: friction
  mass: [1, 2, 1]
  stiffness: {springs: [10, 20, 10, 0]}
  friction: [1, 1, 100]
  force: 5
  names: [motor, gear.1, tool]
  units: {position: rad, force: N m}
time: {end: 1, step: 0.01}
control: {target: {position: [1, null, null]}, bounds: {lower: -7, upper: [1, 2, 3]}, signal: {kind: piecewise_linear, segments: 2}}
END
expect 0 "$PROGRAM" simulate named.yaml -o named --verify --control 1,2,3,4,5,6
has out 'x\(T\) by [^ ]+ rad, v\(T\) by [^ ]+ rad/s'
that "columns have names" test "$(head -1 named/trajectory.csv)" = \
  t,x:motor,x:gear.1,x:tool,v:motor,v:gear.1,v:tool,lambda:motor,lambda:gear.1,lambda:tool,u:motor,u:gear.1,u:tool
expect 0 "$PROGRAM" plot named
has named/figures/positions.svg 'gear\.1'
has named/figures/positions.svg 'x \(rad\)'
has named/figures/velocities.svg 'v \(rad/s\)'
has named/figures/multipliers.svg 'lambda:tool'
has named/figures/control.svg 'u \(N m\)'
for name in motor gear.1 tool; do has named/figures/control.svg "<text>$name</text>"; done
that "limits are dashed: one below, three above" test "$(grep -c stroke-dasharray named/figures/control.svg)" -ge 4
# a control that acts on two has no name of one, nor have two that act on the same
expect 0 "$PROGRAM" simulate named.yaml -o shared --control 1,2,3,4,5,6 --set 'control.matrix=[[1, 0, 0], [1, 1, 0], [0, 0, 2]]'
that "shared columns have numbers" test "$(head -1 shared/trajectory.csv | cut -d, -f11-)" = u1,u2,u:tool
expect 0 "$PROGRAM" plot shared
for name in u1 u2 tool; do has shared/figures/control.svg "<text>$name</text>"; done
expect 0 "$PROGRAM" plot named --compare shared
has named/figures/compare_control.svg '<text>u:tool \(N m\)</text>'
rm named/figures/compare_*
expect 0 "$PROGRAM" plot named --dof tool,1
has named/figures/positions.svg 'motor'
that "named/figures/positions.svg has no gear" lines named/figures/positions.svg 'gear' 0
expect 2 "$PROGRAM" plot named --dof tol
has err 'shows no degree of freedom tol$'
expect 2 "$PROGRAM" plot named --dof motor,,tool
expect 0 "$PROGRAM" report named
has named/report.html '<th>gear\.1</th>'
has named/report.html 'x\(T\), rad'

# what is wrong
expect 2 "$PROGRAM" check named.yaml --set 'model.friction=[1, 2, -3]'
has err 'model.friction: tool: entry 3 is -3'
expect 2 "$PROGRAM" check named.yaml --set 'control.target.position=[1, 2+, 3]'
has err 'control.target.position\[2\]: gear.1: '
expect 2 "$PROGRAM" check named.yaml --set 'control.bounds={lower: [5, -7, -7], upper: 3}'
that "a control's entry has no name of a mass" lines err 'motor' 0
expect 2 "$PROGRAM" check named.yaml --set 'model.names=[a, b]'
has err 'expected a list of 3 names'
expect 2 "$PROGRAM" check named.yaml --set 'model.names=[a, b, a]'
has err 'model.names\[3\]: .*twice'
expect 2 "$PROGRAM" check named.yaml --set 'model.names=[7, "a,b", c]'
has err 'model.names\[1\]: .*expected a name'
has err 'model.names\[2\]: .*expected a name'
expect 2 "$PROGRAM" check named.yaml --set "model.units.force=N\'"
has err 'model.units.force: .*expected a unit'

# twelve are curves, in two groups of like size; thirteen a map
for d in 12 13; do
  springs=$(printf '10, %.0s' $(seq "$d"))0
  cat >many.yaml <<END
model: {kind: friction, mass: 1, stiffness: {springs: [$springs]}, friction: 0.01, x0: "i > 8 ? i : 0.001*i"}
time: {end: 0.1, step: 0.01}
END
  expect 0 "$PROGRAM" simulate many.yaml -o "many$d"
  expect 0 "$PROGRAM" plot "many$d"
done
has many12/figures/positions.svg 'x12'
that "many13/figures/positions.svg has no x12" lines many13/figures/positions.svg 'x12' 0
has many13/figures/positions.svg 'degree of freedom'
# nothing moves, or half of the bodies do: no size distinguishes them
sed 's/x0: .*"}/x0: 0}/' many.yaml >still.yaml
expect 0 "$PROGRAM" simulate still.yaml -o still --set model.mass=1 --set 'model.stiffness={springs: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]}'
expect 0 "$PROGRAM" plot still
expect 0 "$PROGRAM" report still
# events.csv has them besides, and maps
that "events have names" awk -F, 'NR == 1 { if ($0 != "dof,from,to,state,name") exit 1; next }
  { if ($5 != ($1 == 1 ? "motor" : $1 == 2 ? "gear.1" : "tool")) exit 1 } END { exit NR < 4 }' named/events.csv
names=$(printf 'link%d,' $(seq 14))
printf 'model: {kind: friction, names: [%s], mass: [%s], stiffness: 1, friction: 0.1, x0: 1}\ntime: {end: 3, step: 0.01}\n' \
  "${names%,}" "$(printf '1,%.0s' $(seq 13))1" >many.yaml
expect 0 "$PROGRAM" simulate many.yaml -o many --quiet
expect 0 "$PROGRAM" plot many
for figure in positions states; do for name in link1 link14; do has many/figures/$figure.svg "<text>$name</text>"; done; done
# another number of names than of degrees of freedom is no run's
cp -r named torn
jq '.problem.model.names = ["motor"]' named/summary.json >torn/summary.json
expect 2 "$PROGRAM" plot torn
has err 'torn: has names for another number of degrees of freedom'
jq 'del(.problem.model.units) | .problem.model.units.position = "m"' named/summary.json >torn/summary.json
expect 2 "$PROGRAM" plot named --compare torn
has err 'other units'
expect 0 "$PROGRAM" plot many13 --dof 13
has many13/figures/positions.svg 'x13'
verdict
