#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Plans over scenarios: all conditions hold in each, the scenarios that determine the answer, the same bits on any ranks and after a signal,
# mistakes.
#   usage: tests/program/robust_plans.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq and awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# is NAME FILTER: of its summary
is() { that "$1: $2" jq -e ".outcome | $2" "$1/summary.json"; }
# held NAME: all conditions hold in all scenarios
held() { is "$1" '.met and ([.scenarios.quantities[] | select(.role | startswith("at_")) | .held] | length > 0 and all(. > 1 - 1e-12)) and .scenarios.failed == 0'; }
file=$problems/robust-time.yaml

expect 0 "$PROGRAM" control "$file" -o time
has out '^least time, .*, the worst case of 16 scenarios$'
has out '^  target.position\[1\] .*\(>= 1.7\)  multiplier -[0-9.]+ in scenario [0-9]+$'
has out '^  limits.speed\[1\] .*\(<= 1 in 100 %\)$'
held time
is time '.objective == "worst_case" and .worst == [] and .optimality.vertex and .optimality.local_minimum == "yes" and .optimality.kkt < 1e-9'
# the scenario of a condition: with the largest friction it ends nearest, with the least it is fastest
row() { awk -F, -v s="$1" 'NR > 1 && $1 == s { print $2 }' time/scenarios.csv; }
scenario() { jq "[.outcome.quantities[] | select(.name == \"$1\" and .role == \"$2\")][0].scenario" time/summary.json; }
that "the end is short with the largest friction" test "$(row "$(scenario 'target.position[1]' at_least)")" = "$(awk -F, 'NR > 1 { print $2 }' time/scenarios.csv | sort -g | tail -1)"
that "the speed is high with the least friction" test "$(row "$(scenario 'limits.speed[1]' at_most)")" = "$(awk -F, 'NR > 1 { print $2 }' time/scenarios.csv | sort -g | head -1)"
is time '[.quantities[] | select(.active_in != null and (.active_in | length) > 0) | (.multiplier - ([.active_in[].multiplier] | add) | fabs)] | length == 3 and all(. < 1e-9)'
expect 0 "$PROGRAM" simulate "$file" --scenarios --control time -q -o again
that "simulate --scenarios: the same bytes" cmp time/scenarios.csv again/scenarios.csv
expect 0 "$PROGRAM" simulate "$file" --scenarios --control time -q -o others --set control.objective=nominal --set scenarios.seed=2 --set scenarios.count=64
that "64 other scenarios: nearly all conditions hold" jq -e '[.outcome.scenarios.quantities[] | select(.held != null) | .held] | all(. > 0.9)' others/summary.json
expect 0 "$PROGRAM" report time
expect 0 "$PROGRAM" plot time

# without the statistic the answer is faster, and its conditions are missed in some scenarios
expect 0 "$PROGRAM" control "$file" -q -o nominal --set control.objective=nominal
that "all scenarios cost time" jq -en "$(jq .outcome.f nominal/summary.json) < $(jq .outcome.f time/summary.json)"
that "the answer for the numbers of the file misses some" jq -e '[.outcome.scenarios.quantities[] | select(.held != null) | .held] | any(. < 0.9)' nominal/summary.json

# closed form: u = 2 all the time, T = sqrt(2/(2 - c)) of the largest friction c
cat >far.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1}
time: {end: free, step: 0.005}
control:
  minimize: time
  objective: worst_case
  bounds: {lower: -2, upper: 2}
  target: {position: [{at_least: 1}]}
  signal: {kind: piecewise_constant, segments: 4}
scenarios: {count: 16, vary: {model.friction: {relative: 0.2}}}
END
expect 0 "$PROGRAM" control far.yaml -q -o far
is far "(.f / $(awk -F, 'NR > 1 && $2 > most { most = $2 } END { printf "%.17g", sqrt(2 / (2 - most)) }' far/scenarios.csv) - 1 | fabs) < 1e-9"
held far

# what is minimised differs between scenarios: the worst one, and the mean
cat >near.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1}
time: {end: 2, step: 0.005}
control:
  minimize: {effort: 0.01, end: {position: 1, weight: 3}}
  objective: worst_case
  bounds: {lower: 0, upper: 8}
  signal: {kind: piecewise_constant, segments: 3}
scenarios: {count: 8, vary: {model.friction: {relative: 0.2}}}
END
expect 0 "$PROGRAM" control near.yaml -q -o worst
is worst '.met and (.worst | length) >= 2 and ([.worst[].weight] | add - 1 | fabs) < 1e-6'
is worst '[.worst[].f] | max - min < 1e-6'
expect 0 "$PROGRAM" control near.yaml -q -o mean --set control.objective=mean
is mean '.met and .worst == null and .objective == "mean"'
# largest|mean NAME: 3 (x(T) - 1)^2 over the scenarios, and the effort
largest() { jq -r '.outcome | 0.01 * .J' "$1/summary.json" | awk -F, 'NR == FNR { J = $1; next } FNR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
  { f = 3 * ($at["minimize.end.position[1]"] - 1)^2; if (f > most) most = f } END { printf "%.12g", J + most }' - "$1/scenarios.csv"; }
average() { jq -r '.outcome | 0.01 * .J' "$1/summary.json" | awk -F, 'NR == FNR { J = $1; next } FNR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
  { sum += 3 * ($at["minimize.end.position[1]"] - 1)^2 / 8 } END { printf "%.12g", J + sum }' - "$1/scenarios.csv"; }
is worst "(.f / $(largest worst) - 1 | fabs) < 1e-6"
is mean "(.f / $(average mean) - 1 | fabs) < 1e-9"
that "each is best in what it is for" jq -en "$(largest worst) <= $(largest mean) and $(average mean) <= $(average worst)"

# the same bits on any ranks, and after a signal
for n in 2 3; do
  expect 0 mpi_run "$n" "$PROGRAM" control "$file" -q -o "many-$n"
  that "$n ranks give the same bits" diff <(stripped time) <(stripped "many-$n")
done
long=(--set 'time.end={at_least: 0.1, at_most: 20, start: 2.5}' --set scenarios.count=64 --set control.signal.segments=5)
expect 0 "$PROGRAM" control "$file" "${long[@]}" -q -o whole
"$PROGRAM" control "$file" "${long[@]}" -q -o stopped --set checkpoint.seconds=0 >out 2>err &
that "it is under way" soon 120 rows 4 stopped/search.csv
signalled USR1 85 $!
expect 0 mpi_run 2 "$PROGRAM" resume stopped -q
that "it ends with the same bits" diff <(stripped whole | grep -v '"seconds"') <(stripped stopped | grep -v '"seconds"')
# with an end time of which the bounds follow from the model
wide=(--set time.end=free --set scenarios.count=64 --set control.signal.segments=5)
expect 0 "$PROGRAM" control "$file" "${wide[@]}" -q -o wide
"$PROGRAM" control "$file" "${wide[@]}" -q -o cut --set checkpoint.seconds=0 >out 2>err &
that "it is under way" soon 120 rows 4 cut/search.csv
signalled USR1 85 $!
expect 0 "$PROGRAM" resume cut -q
that "it ends with the same bits" diff <(stripped wide | grep -v '"seconds"') <(stripped cut | grep -v '"seconds"')
that "and with the same bytes" cmp {wide,cut}/scenarios.csv
expect 0 "$PROGRAM" sweep "$file" --control -q --vary 'model.damping=[0.5, 0.6]' -o swept
that "a sweep has the answers" test "$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } { print $at["f"] }' swept/sweep.csv | head -1)" = "$(jq .outcome.f time/summary.json)"

# effort around what holds a pendulum at the middle of its interval: of the file's own mass in all scenarios, on all ranks
cat >hold.yaml <<'END'
model:
  kind: mechanism
  parameters: {m: 1}
  links: {upper: {length: 1, mass: m}}
  friction: 0.5
time: {end: 2, step: 0.01}
control:
  minimize: {effort: 1, around: hold}
  objective: worst_case
  signal: {kind: piecewise_constant, segments: 4}
  target: {position: [{at_least: 0.5, at_most: 1}], velocity: [{at_least: -2, at_most: 2}]}
search: {local_starts: 3}
scenarios: {count: 4, vary: {model.parameters.m: {relative: 0.3}}}
END
expect 0 "$PROGRAM" control hold.yaml -q -o hold
expect 0 mpi_run 2 "$PROGRAM" control hold.yaml -q -o hold-2
that "2 ranks give the same bits" diff <(stripped hold) <(stripped hold-2)
that "the forces are those at 0.75" jq -e '.problem.control.minimize.around[0] / (9.80665 * 0.5 * (0.75 | cos)) - 1 | fabs < 1e-3' hold/summary.json
that "f is the effort of u less these" jq -e '.problem.control.minimize.around[0] as $hold | .outcome |
  ([.u | flatten[] | (. - $hold) * (. - $hold)] | add * 0.5 * $scale) / .f - 1 | fabs < 1e-9' --argjson scale 1 hold/summary.json
expect 0 "$PROGRAM" check hold.yaml --json --set 'control.target.position=[{at_least: 0.5}]'
that "of an interval with one end, there" jq -e '.problem.control.minimize.around[0] / (9.80665 * 0.5 * (0.5 | cos)) - 1 | fabs < 1e-3' out

# the clock limits the search for the numbers of the file, too
"$PROGRAM" control hold.yaml -q -o timed --set search.max_seconds=1 --set search.local_starts=4096 >out 2>err
that "it ends in time" jq -e '.seconds.wall < 6' timed/summary.json

# a place that one scenario cannot reach: an error only of a plan that is to hold in all
cat >reach.yaml <<'END'
model:
  kind: mechanism
  parameters: {l: 1}
  links: {upper: {length: l, mass: 1}, fore: {length: l, mass: 1}}
  friction: 1
  points: {hand: fore}
time: {end: 2, step: 0.01}
control:
  minimize: effort
  signal: {kind: piecewise_linear, segments: 6}
  target: {points: {hand: [1.97, {at_least: 0}]}}
scenarios: {count: 6, vary: {model.parameters.l: {relative: 0.03}}}
END
expect 0 "$PROGRAM" check reach.yaml

# mistakes, each at its line
mistake() { # SETTING PATTERN
  expect 2 "$PROGRAM" check far.yaml --set "$1"
  has err "$2"
  that "$1: one error" test "$(wc -l <err)" -eq 1
}
mistake 'control.target.position=[1]' 'control.target.position\[1\]: one number in all scenarios \(expected with control.objective: an interval'
mistake 'control.target={position: [{at_least: 1}], via: [{at: 0.5, position: [0.2]}]}' 'via\[1\].position\[1\]: one number in all scenarios'
mistake 'control.objective={quantile: 0.9}' 'control.objective: a quantile with time.end: free \(expected worst_case, mean or nominal\)'
mistake scenarios=null 'control.objective: without a section scenarios'
mistake scenarios.count=257 'scenarios.count: 257 with control.objective \(expected at most 256\)'
mistake control.effort_at_most=5 'control.effort_at_most: with time.end: free'
expect 2 "$PROGRAM" check reach.yaml --set control.objective=worst_case --set 'control.target.points.hand=[{at_least: 1.97}, null]'
has err 'scenarios.vary: scenario [0-9] of 6 cannot be: .*points.hand: 1.97 m from'
expect 2 "$PROGRAM" check reach.yaml --set 'control.minimize={effort: 1, around: hold}'
has err 'control.minimize.around: hold, but the target gives places of points \(expected control.target.position of all'
expect 2 "$PROGRAM" check far.yaml --set 'control.periodic={advance: 1}'
has err 'control.periodic: one number in all scenarios'
expect 2 "$PROGRAM" check far.yaml --set control.signal.segments=1000 --set 'control.limits={speed: 3}' --set scenarios.count=16
has err 'scenarios: 16 of [0-9]+ values each \(expected at most [0-9]+ scenarios\)'
expect 0 "$PROGRAM" check far.yaml -q --set 'control.target={position: [{at_least: 1}], velocity: [0]}' # friction may hold it in all scenarios
# on a moving surface friction holds it at another velocity
fixed=(--set time.end=3 --set control.minimize=effort --set 'control.target={position: [{at_least: 1}], velocity: [0]}')
expect 2 "$PROGRAM" check far.yaml "${fixed[@]}" --set model.surface_velocity=0.5
has err 'control.target.velocity\[1\]: one number in all scenarios'
that "a moving surface: one error" test "$(wc -l <err)" -eq 1
expect 0 "$PROGRAM" check far.yaml -q "${fixed[@]}"
every_summary .
verdict
