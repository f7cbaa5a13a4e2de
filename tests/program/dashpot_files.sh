#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The thesis's cases as files: every law, forcing, start and support is checked, simulated and looked at; the echo is a
# problem file again; a mass is steered to a place.
#   usage: tests/program/dashpot_files.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk and jq
set -uo pipefail
PROGRAM=$1

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
laws=(viscous bingham bingham_cubic 'bingham_nonmonotone --set model.selection=nearest_velocity'
  'bingham_nonmonotone --set model.selection=max_dissipation' coulomb)

# run FILE SETTINGS...: checks the file and its echo, simulates it, and looks at what every run must keep
run() {
  local file=$problems/$1.yaml
  shift
  expect 0 "$PROGRAM" check "$file" "$@"
  sed -n '/as understood/,$p' out | tail -n +2 >echo.yaml
  rm -rf run echo
  expect 0 "$PROGRAM" simulate "$file" "$@" -o run
  expect 0 "$PROGRAM" simulate echo.yaml -o echo
  that "the echo is the same problem: $*" cmp run/trajectory.csv echo/trajectory.csv
  has run/trajectory.csv '^t,x1,v1,f_d,f_s,lambda_contact$'
  that "never gives energy back: $*" awk -F, 'NR > 1 && $4 * $3 < 0 { exit 1 }' run/trajectory.csv
  that "the support never pulls: $*" awk -F, 'NR > 1 && $6 > 0 { exit 1 }' run/trajectory.csv
  that "energy balances: $*" jq -e '.energy | (.closure | fabs) <= 1e-13 * (1 + .work + .dissipated)' run/summary.json \
    >/dev/null
}

moves() { awk -F, 'NR > 1 && $3 != 0 { found = 1 } END { exit !found }' run/trajectory.csv; }

for law in "${laws[@]}"; do
  read -ra setting <<<"model.law=$law"
  run gotika-6-forced --set "${setting[@]}"
  that "f1 moves it: $law" moves
  run gotika-6-free --set "${setting[@]}"
  that "the spring moves it: $law" moves
  [ "$law" = viscous ] && continue
  run gotika-6-forced --set "${setting[@]}" --set 'model.force[1].value="0.5*sin(5*pi*t)"'
  that "f2 does not move it: $law" awk -F, 'NR > 1 && ($2 != 0 || $3 != 0) { exit 1 }' run/trajectory.csv
  has run/events.csv '^1,0,3,stick$'
  run gotika-6-free --set "${setting[@]}" --set model.x0=0.005
  that "the spring does not move it: $law" awk -F, 'NR > 1 && ($2 != 0.005 || $3 != 0) { exit 1 }' run/trajectory.csv
done

# contact intervals agree with the trajectory's contact force; the harder the support the shorter they are
longest=10
for stiffness in 10 100 1000 10000; do
  run gotika-6d-support --set model.support.stiffness=$stiffness
  that "three contacts at least, ks = $stiffness" test "$(grep -c contact run/events.csv)" -ge 3
  that "contact force in contact alone, ks = $stiffness" awk -F, '
    FNR == 1 { file++; next }
    file == 1 && $4 == "contact" { from[++n] = $2; to[n] = $3 }
    file == 2 { inside = 0; for (i = 1; i <= n; i++) if ($1 + 0 >= from[i] + 0 && $1 + 0 < to[i] + 0) inside = 1
                if (($6 < 0) != inside) exit 1 }' run/events.csv run/trajectory.csv
  first=$(awk -F, '$4 == "contact" { print $3 - $2; exit }' run/events.csv)
  that "shorter contacts, ks = $stiffness" awk -v a="$first" -v b="$longest" 'BEGIN { exit !(a > 0 && a < b) }'
  longest=$first
done
has run/events.csv '^1,0.153[0-9]*,[0-9.]+,contact$'

# without steps the times of events are their own
expect 0 "$PROGRAM" simulate "$problems/gotika-6d-support.yaml" --set 'scheme={name: event}' -o exact
has exact/events.csv '^1,0.15323743898649[0-9]*,0.2925447142627[0-9]*,contact$'
has exact/events.csv '^1,0,0.0063768560858[0-9]*,stick$'
that "energy closes" jq -e '.energy.closure | fabs < 1e-12' exact/summary.json >/dev/null
expect 4 "$PROGRAM" simulate "$problems/gotika-6d-support.yaml" --set 'scheme={name: event, max_events: 3}' -o given-up

# a control acts through B on the force
expect 0 "$PROGRAM" control "$problems/dashpot-control.yaml" -o steered --set search.method=pds
has out 'target met'
that "it is there" jq -e '.outcome.x_T[0] - 0.1 | fabs < 1e-7' steered/summary.json >/dev/null
u=$(jq '.outcome.u[0]' steered/summary.json)
expect 0 "$PROGRAM" simulate "$problems/dashpot-control.yaml" --control "$u" -o again
that "simulate agrees" cmp steered/trajectory.csv again/trajectory.csv
expect 0 "$PROGRAM" control "$problems/dashpot-control.yaml" --set control.matrix=-2 -o turned --set search.method=pds
that "B = -2 takes half of it, the other way" jq -e --argjson u "$u" '.outcome.u[0] * 2 + $u | fabs < 1e-6' \
  turned/summary.json >/dev/null
# far beyond its threshold the law's branches are tied nowhere, though the series of a tie has roots there
cat >tie.yaml <<'END'
model: {kind: dashpot, mass: 2489.6, stiffness: 0, law: bingham_nonmonotone, gamma: 8.52113, f_crit: 1, v0: 1.85003, force: "1036.55*sin(6.18553*t)"}
time: {end: 6.16799, steps: 1}
scheme: {name: event}
END
expect 0 "$PROGRAM" simulate tie.yaml -o tie
that "its energy closes" jq -e '.energy.closure | fabs < 1e-9' tie/summary.json >/dev/null
every_summary .
verdict
