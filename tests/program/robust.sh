#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Control over scenarios: misses less than the nominal control, costs no more than effort_at_most, by direct search and by derivatives; the same
# bytes on any number of ranks and after a signal.
#   usage: tests/program/robust.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
few=(--set scenarios.count=8 --set control.signal.segments=5)
known() { jq -e ".outcome | $2" "$1/summary.json" >jq.out; }
miss() { jq ".outcome.scenarios.miss.$2" "$1/summary.json"; }

expect 0 "$PROGRAM" control "$problems/scenarios.yaml" "${few[@]}" -o nominal -q
for method in auto pds; do
  for objective in worst_case mean '{quantile: 0.7}'; do
    dir=$method-${objective%%[ :]*}
    expect 0 "$PROGRAM" control "$problems/scenarios.yaml" "${few[@]}" -o "$dir" --set "search.method=$method" --set search.restarts=1 \
      --set search.local_starts=4 --set "control.objective=$objective" --set control.effort_at_most=6
    has out '^converged \(tolerance\) after'
    that "$dir: J is at most 6" known "$dir" '.J <= 6'
    that "$dir: the motion itself is of the file's own numbers" known "$dir" '.exact | .reason == null and .["E1"] >= 0'
  done
done
for method in auto pds; do
  that "$method: the worst is far better than the nominal one's" \
    jq -en "$(miss $method-worst_case worst.miss) < 0.6 * $(miss nominal worst.miss)" >jq.out
  that "$method: so is the mean" jq -en "$(miss $method-mean mean) < 0.6 * $(miss nominal mean)" >jq.out
  that "$method: each is best in what it is for" jq -en "$(miss $method-worst_case worst.miss) <= 1.02 * $(miss $method-mean worst.miss) and
    $(miss $method-mean mean) <= 1.02 * $(miss $method-worst_case mean)"
done
that "both find nearly the same" jq -en "$(miss auto-worst_case worst.miss) / $(miss pds-worst_case worst.miss) | . > 0.9 and . < 1.1" >jq.out
that "auto is bundle" known auto-mean '.method == "bundle" and .objective == "mean"'
that "a quantile is printed as a quantile" known 'auto-{quantile' '.objective.quantile == 0.7'
that "E1 of the worst case is that of a scenario" known auto-worst_case '(.["E1"] <= .scenarios.miss.worst.miss) and (.["E1"] > 0)'

# ranks, a signal
robust=(--set search.local_starts=4 --set search.restarts=1 --set control.objective=worst_case --set control.effort_at_most=6)
for n in 1 3; do
  expect 0 mpi_run "$n" "$PROGRAM" control "$problems/scenarios.yaml" "${few[@]}" "${robust[@]}" -o "ranks$n" -q
done
that "three ranks: the same scenarios" cmp ranks1/scenarios.csv ranks3/scenarios.csv
that "the same answer" diff <(jq -S .outcome ranks1/summary.json) <(jq -S .outcome ranks3/summary.json)
that "the same way" cmp <(cut -d, -f1-10 ranks1/search.csv) <(cut -d, -f1-10 ranks3/search.csv)
"$PROGRAM" control "$problems/scenarios.yaml" "${few[@]}" "${robust[@]}" --set checkpoint.seconds=0 -o stopped -q >out 2>err &
that "under way" soon 60 rows 5 stopped/search.csv
kill -TERM $!
code=0
wait $! || code=$?
if [ "$code" = 85 ]; then expect 0 mpi_run 2 "$PROGRAM" resume stopped -q; fi # else it was sooner at its end
that "stopped and gone on with: the same" diff <(jq -S .outcome ranks1/summary.json) <(jq -S .outcome stopped/summary.json)
that "the same scenarios" cmp ranks1/scenarios.csv stopped/scenarios.csv

# as many scenarios as there may be: a round takes seconds, and a signal does not wait for it
many=(--set scenarios.count=256 --set control.signal.segments=5 "${robust[@]}" --set search.max_simplexes=5)
expect 3 "$PROGRAM" control "$problems/scenarios.yaml" "${many[@]}" -o many -q
"$PROGRAM" control "$problems/scenarios.yaml" "${many[@]}" -o many-stopped -q >out 2>err &
that "256 scenarios are under way" soon 60 rows 1 many-stopped/search.csv
kill -TERM $!
begun=$SECONDS code=0
wait $! || code=$?
that "it stops within seconds" test $((SECONDS - begun)) -le 10
if [ "$code" = 85 ]; then expect 3 "$PROGRAM" resume many-stopped -q; fi
that "and goes on with the same bytes" cmp <(cut -d, -f1-10 many/search.csv) <(cut -d, -f1-10 many-stopped/search.csv)

# without derivatives it is pds
expect 0 "$PROGRAM" control "$problems/scenarios.yaml" "${few[@]}" -o ends -q --set scheme='{name: centered}' --set model.stops='{upper: 50, stiffness: 1}' --set scenarios.count=2 \
  --set control.objective=mean --set control.signal.segments=2 --set search.restarts=0
that "elastic stops: by pds" known ends '.method == "pds"'

# a direct search that stops far off goes on from the control for the file's own numbers: the same on any number of ranks
cat >link.yaml <<'END'
model: {kind: friction, mass: [1, 0], stiffness: [[500, -500], [-500, 500]], friction: [0.3, 0.3]}
time: {end: 2, step: 0.01}
control: {matrix: [[1], [0]], signal: {kind: piecewise_constant, segments: 8}, target: {position: [1, null], velocity: [0, null]}}
scenarios: {count: 4, vary: {model.friction: {relative: 0.2}, model.mass: {relative: 0.1}}}
search: {restarts: 0}
END
expect 0 "$PROGRAM" control link.yaml -o link-nominal -q
for n in 1 3; do
  expect 0 mpi_run "$n" "$PROGRAM" control link.yaml -o "link$n" --set control.objective=worst_case --set control.effort_at_most=4
  has out '^found from the control for the file.s own numbers'
done
that "it misses by less than that control" jq -en "$(miss link1 worst.miss) < $(miss link-nominal worst.miss)" >jq.out
that "it costs no more than it may" known link1 '.J <= 4 and .further.taken == "nominal"'
that "three ranks: the same answer" diff <(jq -S .outcome link1/summary.json) <(jq -S .outcome link3/summary.json)
expect 3 "$PROGRAM" control "$problems/scenarios.yaml" "${few[@]}" "${robust[@]}" -o budget -q --set search.max_simplexes=2
has err 'the search has not converged \(budget\)'
every_summary .
verdict
