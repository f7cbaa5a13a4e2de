#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The chains of jobs/problems with two, three and five nodes, every end and every scheme, as a user runs them; and one
# steered to a target.
#   usage: tests/program/chain_problems.sh PROGRAM
# shellcheck disable=SC2016,SC2034 # the dollars are of jq; options are chosen by name
set -uo pipefail
PROGRAM=$1

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

n3=(--set 'model.springs=[2, 1, 3, 1]' --set model.thresholds=0.4 --set 'model.force=sin(t/2)')
n5=(--set 'model.springs=[2, 1, 3, 1, 2, 2]' --set model.thresholds=0.4 --set 'model.force=sin(t/2)')
moved=(--set model.end=displacement --set 'model.end_displacement=2.5*sin(t/2)')
pulled=(--set model.end=free --set 'model.end_force=1.6*sin(t/2)')

run() { # CASE SCHEME OPTIONS...: simulated, in balance; with three nodes the echo is the same problem
  local file=$problems/chain-$1.yaml name=$1-$2-$checks
  local options=(--set "scheme.name=$2" "${@:3}")
  expect 0 "$PROGRAM" simulate "$file" -o "$name" "${options[@]}"
  that "$name: energy balances" jq -e '.energy | (.closure | fabs) < 1e-12 * (.work | fabs) and .dissipated > 0' \
    "$name/summary.json" >/dev/null
  [ "$n" -eq 3 ] || return 0
  jq .problem "$name/summary.json" >"$name.yaml"
  expect 0 "$PROGRAM" simulate "$name.yaml" -o "$name-again"
  that "$name: the echo is the same problem" cmp "$name/trajectory.csv" "$name-again/trajectory.csv"
}

for n in 2 3 5; do
  size=()
  [ $n -eq 2 ] || { declare -n nodes=n$n && size=("${nodes[@]}"); }
  for end in clamped moved pulled; do
    ends=()
    [ $end = clamped ] || { declare -n which=$end && ends=("${which[@]}"); }
    for scheme in symplectic implicit_euler event; do
      mass=()
      [ $n -eq 2 ] || mass=(--set model.mass=1)
      run dynamical $scheme "${size[@]}" "${mass[@]}" "${ends[@]}"
      run semi-dynamical $scheme "${size[@]}" "${ends[@]}"
    done
    for scheme in increment implicit_euler event; do run quasistatic $scheme "${size[@]}" "${ends[@]}"; done
  done
done

expect 0 "$PROGRAM" simulate "$problems/chain-quasistatic.yaml" -o columns
has columns/trajectory.csv '^t,x1,x2,v1,v2,lambda1,lambda2,reaction_left,reaction_right,x_end$'
has columns/events.csv '^1,0,[0-9.]+,stick$'

# a load that stops to rise leaves the chain stuck, under the scheme that follows its rate too
expect 0 "$PROGRAM" simulate "$problems/chain-quasistatic.yaml" -o kink --set scheme.name=implicit_euler \
  --set 'time={end: 1, step: 0.01}' --set 'model.force=min(2*t, 1)' --set model.end=clamped
has kink/events.csv '^1,0\.51[0-9]*,1,stick$'
# forces in pieces, one expression for all, one a node, an end's in pieces between two rows: the motion is the same
way=(--set scheme.name=event --set 'time={end: 8, steps: 4}' --set model.end=free)
expect 0 "$PROGRAM" simulate "$problems/chain-semi-dynamical.yaml" -o one "${way[@]}" --set 'model.force=sin(t)' \
  --set 'model.end_force=max(0, min(t - 1.1, 0.3)) - max(0, min(t - 1.7, 0.3))'
expect 0 "$PROGRAM" simulate "$problems/chain-semi-dynamical.yaml" -o several "${way[@]}" \
  --set 'model.force=[sin(t), [{until: 3.3, value: sin(t)}, {value: sin(t)}]]' \
  --set 'model.end_force=[{until: 1.1, value: 0}, {until: 1.4, value: t - 1.1}, {until: 1.7, value: 0.3}, {until: 2, value: 2 - t}, {value: 0}]'
that "the force may be written in any way" jq -es '[.[].outcome | .x_T + .v_T] | transpose | all((.[0] - .[1] | fabs) < 1e-9)' \
  one/summary.json several/summary.json >/dev/null

# forces that cancel leave rounding, which is no swing
cat >cancel.yaml <<'END'
model:
  {kind: chain, case: quasistatic, springs: [55.1607, 41.6446], thresholds: [2.77232], end: free,
   end_force: -25.9084*sin(2.60223*t), force: -25.9132*sin(2.60223*t)}
time: {end: 4.28889, steps: 1}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate cancel.yaml -o cancel

expect 0 "$PROGRAM" check "$problems/chain-dynamical.yaml"
has out '^stability  step < 0\.986[0-9]* s'
expect 0 "$PROGRAM" check "$problems/chain-dynamical.yaml" --set scheme.name=implicit_euler
has out '^stability  explicit springs: what no friction damps grows, by [0-9.e+]+ until T at most$'

target=(--set search.method=pds --set 'control.target.position=[0.5, -0.25]')
expect 0 "$PROGRAM" control "$problems/chain-dynamical.yaml" -o found "${target[@]}"
that "the chain is where it should be" jq -e '.outcome | .x_T as [$a, $b] |
  ($a - 0.5 | fabs) < 1e-6 and ($b + 0.25 | fabs) < 1e-6' found/summary.json >/dev/null
expect 0 "$PROGRAM" simulate "$problems/chain-dynamical.yaml" -o replayed --control found:grid "${target[@]}"
that "the replay is the optimum's trajectory" cmp found/trajectory.csv replayed/trajectory.csv
expect 0 "$PROGRAM" control "$problems/chain-quasistatic.yaml" -o slid --set search.method=pds --set control.target.position='[1.5, 1]'
# increment has derivatives, event has none without mass: the method by default goes without
expect 0 "$PROGRAM" control "$problems/chain-quasistatic.yaml" -o steered --set search.method=sqp --set control.target.position='[1.5, 1]'
has out '^target met'
expect 0 "$PROGRAM" control "$problems/chain-quasistatic.yaml" -o exact --set scheme='{name: event}' --set control.target.position='[1.5, 1]'
has out '^target met'
every_summary .
verdict
