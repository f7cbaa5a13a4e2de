#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Controls that vary in time, from the command line: every kind of model, any number of ranks, warm starts, resuming, results.
#   usage: tests/program/signal.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
arm=$problems/signal-2x8.yaml

expect 0 "$PROGRAM" check "$arm" --set search.method=pds
has out '^control +piecewise_constant, 8 segments of 0.25 s: 16 variables$'
has out '^search +pds, .* points a simplex, 16 variables$'
expect 0 "$PROGRAM" check "$arm" --set search.method=nlopt:cobyla
has out '^search +nlopt:cobyla, penalty [^,]*, rho [^,]*, 16 variables$'

# a simplex given by the user has an edge for each variable of the signal
own='search.simplex=[[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]'
simplexes=(-q --set search.method=pds --set control.signal.segments=2 --set search.max_simplexes=3)
expect 3 "$PROGRAM" control "$arm" -o own "${simplexes[@]}" --set "$own"
expect 3 "$PROGRAM" control "$arm" -o right "${simplexes[@]}"
that "which may be the right one" diff <(jq .outcome own/summary.json) <(jq .outcome right/summary.json)
expect 2 "$PROGRAM" check "$arm" --set control.signal.segments=2 --set 'search.simplex=[[1,0],[0,1]]'

# any number of ranks, any kernel
short=(-q --set search.method=pds --set control.signal.kind=piecewise_linear --set search.max_simplexes=20)
for kernel in ref sse2; do
  expect 3 "$PROGRAM" control "$arm" -o "one-$kernel" "${short[@]}" --batch-kernel "$kernel"
done
that "kernels give the same" diff <(stripped one-ref | grep -v kernel) <(stripped one-sse2 | grep -v kernel)
expect 3 "$PROGRAM" control "$arm" -o one "${short[@]}"
for n in 2 3; do
  expect 3 mpi_run "$n" "$PROGRAM" control "$arm" -o "many-$n" "${short[@]}"
  that "$n ranks give the same bits" diff <(stripped one) <(stripped "many-$n")
done

# a run that is stopped goes on
long=(-q --set search.method=pds --set search.scheme_size=256 --set search.stop_at=1e-9 --set checkpoint.seconds=0 --set time.step=0.002)
expect 0 "$PROGRAM" control "$arm" -o whole "${long[@]}"
"$PROGRAM" control "$arm" -o stopped "${long[@]}" >out 2>err &
that "it is under way" soon 60 rows 4 stopped/search.csv
signalled USR1 85 $!
expect 0 mpi_run 2 "$PROGRAM" resume stopped -q
that "it ends with the same bits" diff <(stripped whole) <(stripped stopped)

# 2 pieces, and from there 4 and 8: J and the motion of what is started from are those of the coarse answer
coarse=(-q --set control.signal.segments=2)
expect 0 "$PROGRAM" control "$arm" -o two "${coarse[@]}"
for k in 4 8; do
  expect 0 "$PROGRAM" simulate "$arm" -q -o "two-in-$k" --control two --set control.signal.segments=$k
  that "$k pieces move as the two" cmp two/trajectory.csv "two-in-$k/trajectory.csv"
  expect 3 "$PROGRAM" control "$arm" -q -o "start-$k" --set control.signal.segments=$k --set "control.start={from: $PWD/two}" \
    --set search.method=nlopt:cobyla --set search.max_evaluations=1 --set search.accept=1e-300
  that "$k pieces cost as much as the two" jq -e --slurpfile two two/summary.json \
    '.outcome.J / $two[0].outcome.J - 1 | fabs < 1e-13' "start-$k/summary.json" >/dev/null
done
sed "s|start: 6|start: {from: two}|" "$arm" >from.yaml
expect 0 "$PROGRAM" control from.yaml -q -o eight
that "it is rows of the file's control" jq -e '(.outcome.u | length == 8 and all(length == 2)) and
  (.problem.control.start | length == 8) and .problem.control.signal == {kind: "piecewise_constant", segments: 8}' \
  eight/summary.json >/dev/null
# with another T the segments are stretched: J of the same values goes with T
expect 3 "$PROGRAM" control from.yaml -q -o stretched --set time.end=4 --set search.method=nlopt:cobyla \
  --set search.max_evaluations=1 --set search.accept=1e-300
that "twice the T, twice the J" jq -e --slurpfile two two/summary.json '.outcome.J / $two[0].outcome.J - 2 | fabs < 1e-13' stretched/summary.json >/dev/null
expect 0 "$PROGRAM" control from.yaml -q -o slower --set time.end=4
jq .problem eight/summary.json >echo.yaml
expect 0 "$PROGRAM" check echo.yaml

# what cannot be taken is refused
expect 2 "$PROGRAM" control from.yaml -o two --force
has err 'two is where control.start is from'
that "it is there still" test -e two/summary.json
expect 2 "$PROGRAM" control from.yaml -q -o no --set control.signal.segments=3
has err "^from.yaml:12:17: control.start.from: two/summary.json: .*in 2 segments; .*in 3, no multiple of that \(expected control.signal.segments: 2, or a multiple\)"
expect 2 "$PROGRAM" control from.yaml -q -o no --set control.signal.kind=piecewise_linear
has err 'cannot be written as one'
expect 2 "$PROGRAM" simulate "$arm" -q -o no --control two --set time.end=4 --set control.signal.segments=2
has err 'with another time.end \(expected 2 s\)'
expect 2 "$PROGRAM" simulate "$arm" -q -o no --control 1,2
has err 'or 16 finite numbers'
that "no directory is left" absent no

# u(t) in the trajectory and its picture
that "u in time" test "$(head -1 eight/trajectory.csv)" = t,x1,x2,v1,v2,lambda1,lambda2,u1,u2
that "its values" jq -e --arg row "$(sed -n 27p eight/trajectory.csv)" \
  '.outcome.u[1] == ($row | split(",")[-2:] | map(tonumber))' eight/summary.json >/dev/null
expect 0 "$PROGRAM" simulate "$arm" -q -o hdf5 --control eight --set output.format=hdf5
h5ls hdf5/trajectory.h5 >sets
has sets "^u +Dataset .*, 2[}]"
if command -v gnuplot >/dev/null; then
  expect 0 "$PROGRAM" plot eight
  has out 'control'
  has eight/figures/control.svg '<text>u1</text>'
  expect 0 "$PROGRAM" plot hdf5
  has hdf5/figures/control.svg '<text>u2</text>'
  expect 0 "$PROGRAM" plot eight --compare two
  has eight/figures/compare_control.svg '<text>u2 \(N\)</text>'
  expect 0 "$PROGRAM" report eight
fi

# dash-pot, chain and string
signal=(--set search.method=pds --set control.signal.kind=piecewise_linear --set control.signal.segments=4 --set search.max_simplexes=3 -q)
for case in dashpot-control:f_d chain-dynamical:reaction_left chain-semi-dynamical:x_end; do
  IFS=: read -r name column <<<"$case"
  target=() scheme=()
  [[ $name != chain-* ]] || target=(--set 'control={target: {position: 0.1}}')
  [[ $name != chain-semi* ]] || scheme=(--set scheme.name=symplectic)
  expect 3 "$PROGRAM" control "$problems/$name.yaml" -o "$name" "${target[@]}" "${signal[@]}" "${scheme[@]}"
  has "$name/trajectory.csv" "^t,.*$column.*,u1"
  that "$name has its u" jq -e '.outcome.u | length == 4' "$name/summary.json" >/dev/null
done
string=("$problems/string-control.yaml" "${signal[@]}" --set model.nodes=40 --set time.steps=50 --set 'control.target={position: "0", velocity: "0"}')
expect 3 "$PROGRAM" control "${string[@]}" -o string
expect 3 mpi_run 3 "$PROGRAM" control "${string[@]}" -o string-3
that "a string: 3 ranks give the same bits" diff <(stripped string) <(stripped string-3)
expect 0 mpi_run 2 "$PROGRAM" simulate "${string[@]}" -o string-again --control string
that "a string's ranks see the same u" diff <(awk -F, '{print $NF}' string/trajectory.csv) \
  <(awk -F, '{print $NF}' string-again/trajectory.csv)
every_summary .
verdict
