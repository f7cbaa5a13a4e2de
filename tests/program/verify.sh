#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The exact motion that runs compute for comparison: after control by `event` or finer steps, with --verify, on several ranks, resumed, left out.
#   usage: tests/program/verify.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml
small=(--set search.scheme_size=64 --set search.refine=none)

# holds FILE CONDITION [TEXT]: of a summary
holds() { that "$1: ${3:-$2}" jq -e "$2" "$1/summary.json" >/dev/null; }
exact() { jq -S .outcome.exact "$1/summary.json"; }

# a search on a grid meets its target there, and the motion itself misses it by 13 cm
expect 0 "$PROGRAM" control "$tp1" -o tp1 "${small[@]}"
has out '^the motion itself: E1 = 6.7e-02, E2 = 0$'
holds tp1 '.outcome | .["E1"] < 1e-6 and .exact["E1"] > 0.0668 and .exact["E1"] < 0.067 and .exact["E2"] == 0'
holds tp1 '.outcome.exact | (.x_T[2] + 2 - 0.1337 | fabs) < 1e-3 and .v_T[1] == 0 and .events == 6 and .tolerance == 1e-10'
expect 0 "$PROGRAM" simulate "$tp1" -o replay --control tp1 --set 'scheme={name: event}'
that "the replay is what the scheme event does" cmp tp1/exact/trajectory.csv replay/trajectory.csv
that "its events, too" cmp tp1/exact/events.csv replay/events.csv

# a search by events finds what it says
expect 0 "$PROGRAM" control "$tp1" -o event "${small[@]}" --set 'scheme={name: event, tolerance: 1e-9}'
holds event '.outcome.exact["E1"] <= 1e-9 and .outcome.exact.tolerance == 1e-9'
holds event '[.outcome, .outcome.exact] | map({E1, E2, x_T, v_T}) | .[0] == .[1]' "no difference"

# the same bytes on any ranks, resumed, and nothing when it is not wanted
for ranks in 2 3; do
  expect 0 mpi_run $ranks "$PROGRAM" control "$tp1" -o ranks$ranks "${small[@]}"
  that "$ranks ranks" cmp <(exact tp1) <(exact ranks$ranks)
  that "$ranks ranks: the trajectory" cmp tp1/exact/trajectory.csv ranks$ranks/exact/trajectory.csv
done
expect 0 "$PROGRAM" control "$tp1" -o silent "${small[@]}" --set output.verify=no
that "no word" test "$(grep -c 'motion itself' out)" -eq 0
holds silent '.outcome | has("exact") | not' "left out"
that "no file" absent silent/exact
that "the same answer" cmp <(jq .outcome.u tp1/summary.json) <(jq .outcome.u silent/summary.json)

# without the scheme event: three finer runs, their spread, and a stop in their midst
cat >string.yaml <<'END'
model: {kind: string, nodes: 40, length: 1, tension: 10, density: 0.1, friction: 2, x0: "0.02*sin(pi*s)"}
time: {end: 1, steps: 10000}
scheme: {theta: 0.6}
control: {matrix: {shapes: ["1"]}, target: {position: {nodes: [20], values: [0.01]}}}
search: {scheme_size: 4, accept: 1e-4, stop_at: 1e-4, method: "nlopt:cobyla"}
END
expect 0 "$PROGRAM" control string.yaml -o string
has out '^the motion itself: E1 = .* \+- .* \(from runs of 20000, 40000 and 80000 steps\)$'
holds string '.outcome.exact | .steps == [20000, 40000, 80000] and .["E1"] > 0 and .uncertainty["E1"] > 0 and .uncertainty["E1"] < 1e-3'
"$PROGRAM" control string.yaml -o stopped >out 2>err &
that "the finer runs are under way" soon 20 test -e stopped/exact/energy.csv
signalled TERM 85 $!
cp -r stopped again
expect 0 mpi_run 2 "$PROGRAM" resume stopped
that "resumed, the same" cmp <(exact string) <(exact stopped)
that "resumed, the same files" cmp string/exact/trajectory.csv stopped/exact/trajectory.csv
cut_short() { jq -e '.outcome.exact | keys == ["reason"]' again/summary.json >/dev/null; }
mv again twice
for _ in 1 2 3 4 5; do # the runs may end before the signal comes
  rm -rf again
  cp -r twice again
  rm again/exact/energy.csv
  "$PROGRAM" resume again >out 2>err &
  that "the finer runs are under way again" soon 20 test -e again/exact/energy.csv
  signalled TERM 0 $!
  cut_short && break
done
that "only the reason is given" cut_short

# the refined answer is replayed by any scheme, and :grid is the search's own
cp -r tp1 refined
jq '.outcome.refined = {u: [1, 2, 3], motion: "event"}' tp1/summary.json >refined/summary.json
for scheme in event moreau; do
  expect 0 "$PROGRAM" simulate "$tp1" -q -o "by-$scheme" --control refined --set "scheme={name: $scheme}"
  expect 0 "$PROGRAM" check "$tp1" --set "control.start={from: $PWD/refined}" --set "scheme={name: $scheme}"
  sed '1,/^as understood/d' out | jq .control.start >"start-$scheme"
done
holds by-event '.outcome.u == [1, 2, 3]'
holds by-moreau '.outcome.u == [1, 2, 3]'
that "a search starts likewise" jq -es 'all(.[]; . == [1, 2, 3])' start-event start-moreau
expect 0 "$PROGRAM" simulate "$tp1" -q -o own --control refined:grid
that "the grid's own" diff <(jq .outcome.u own/summary.json) <(jq .outcome.u tp1/summary.json)
expect 2 "$PROGRAM" simulate "$tp1" -q -o own --force --control own:grid
has err '^stiction simulate: own is what is replayed: '

# --verify: nothing off by events; off in proportion to the step; on several ranks
expect 0 "$PROGRAM" simulate "$tp1" -o nothing --verify --set 'scheme={name: event}'
holds nothing '.verify | [.x_T, .v_T, .x, .v, .lambda, .event_time] | all(. == 0)'
for steps in 2000 4000 8000; do
  expect 0 "$PROGRAM" simulate "$problems/shiau-6.2.yaml" -o $steps --verify --set "time={end: 4, steps: $steps}" \
    --set 'scheme={name: moreau}'
done
has out '^off the motion itself: x\(T\) by .* m, v\(T\) by .* m/s; on the way x by'
has out '^events: [0-9]+, of the motion itself [0-9]+; in their order at most .* s apart$'
that "halved steps, halved differences" jq -es '[.[].verify | [.x_T, .v_T, .x, .v, .lambda, .event_time]] |
  [[.[0], .[1]], [.[1], .[2]]] | all(.[]; transpose | all(.[]; .[0] / .[1] | . > 1.8 and . < 2.2))' \
  {2000,4000,8000}/summary.json >/dev/null
expect 0 "$PROGRAM" simulate string.yaml -o alone --verify --set time.steps=200 --control 24
expect 0 mpi_run 2 "$PROGRAM" simulate string.yaml -o shared --verify --set time.steps=200 --control 24
holds alone '.verify | .x_T > 0 and .exact.uncertainty.x_T > 0 and (.exact.steps == [400, 800, 1600])'
that "two ranks agree" jq -es 'map(.verify | [.x_T, .x, .exact["E1"], .exact.uncertainty.x] + .events + .exact.x_T) |
  transpose | all(.[]; .[0] - .[1] | fabs < 1e-9)' {alone,shared}/summary.json >/dev/null
"$PROGRAM" simulate string.yaml -o halted --verify --set time.steps=12000 --control 24 >out 2>err &
that "verifying is under way" soon 20 test -e halted/exact/energy.csv
signalled TERM 85 $!
expect 0 "$PROGRAM" resume halted
expect 0 "$PROGRAM" simulate string.yaml -o unhalted --verify --set time.steps=12000 --control 24
that "it remembers to verify" cmp <(jq .verify halted/summary.json) <(jq .verify unhalted/summary.json)
expect 0 "$PROGRAM" simulate "$problems/glowinski-2004-gearbox.yaml" -o gears --verify
holds gears '.verify | .x_T > 0 and (.exact | has("steps") | not)' "a gear box, by event"

# an exact motion that cannot be computed: the reason is printed, and the run keeps its exit code
expect 4 "$PROGRAM" simulate "$tp1" -o few --verify --set 'scheme={name: event, max_events: 2}'
holds few '.verify == {reason: "events accumulate: more than scheme.max_events before the end"}' "the reason"

# a push of 0.4 J in a millionth of the time, between the places where the force is asked for its polynomials: a motion without it obeys
# another equation
cat >pushed.yaml <<'END'
model: {kind: friction, mass: 1, stiffness: 1, friction: 0.1, x0: 1, force: "1e6*exp(-(t/1e-6)^2)"}
time: {end: 2, steps: 100}
control: {target: {position: 0.5}}
END
for by in event moreau; do
  expect 4 "$PROGRAM" simulate pushed.yaml -o pushed --force --verify --set "scheme.name=$by"
  has err '(^|: )its series do not obey the equation of motion: at t = .*, degree of freedom 1'
done
holds pushed '.verify | .residual > 0.9 and .residual_time < 1e-6 and (.reason | startswith("its series do not obey"))'
expect 4 "$PROGRAM" control pushed.yaml -o sought
has err 'the motion itself: its series do not obey the equation of motion'
holds sought '.outcome.exact.residual > 0.9 and (.outcome | has("refined") | not)' "nothing is refined on it"
expect 4 "$PROGRAM" converge pushed.yaml -o order --schemes moreau
has err 'event .*its series do not obey the equation of motion'
# what is right is so to a few round-offs, and goes on from a pause with what it has found before
for summary in tp1 event; do holds $summary '.outcome.exact | .residual < 1e-11 and .residual_time >= 0'; done
holds replay '.outcome | .residual > 0 and .residual < 1e-11 and .residual_time < 10'

# simulate with a control: its cost, and how it misses the target
expect 0 "$PROGRAM" simulate "$tp1" -o known --control tp1
has out '^J\(u\) = 468.066.*   E1 = .*e-.* \(position, relative\)   E2 = 0.00e\+00 \(velocity, no target\)$'
that "as the search has it" jq -es 'map(.outcome | {J, E1, E2, x_T}) | .[0] == .[1]' {tp1,known}/summary.json >/dev/null
expect 0 "$PROGRAM" simulate "$tp1" -o unknown
holds unknown '.outcome | has("J") | not' "nothing without a control"
every_summary .
verdict
