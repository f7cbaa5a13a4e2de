#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Lower bounds of the effort of any control: by default, to a gap, on several ranks, stopped, in sweeps; cases without a bound; checked against the answer's
# motion. PROGRAM's proofs claim STICTION_OVERSTATED times as much (overstating.c).
#   usage: tests/program/bound.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
arm=$problems/signal-2x8.yaml

# holds DIR CONDITION: of a summary's bound
holds() { that "$1: $2" jq -e "def near(a; e): . - a | fabs < e; .outcome.bound | $2" "$1/summary.json" >/dev/null; }
bound() { jq -S .outcome.bound "$1/summary.json"; }

# 1 kg by 1 m in 2 s against 1 N: no u costs less than 3.5, which some come as near to as one likes; these cost 3.635
cat >block.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.005}
control: {target: {position: [1], velocity: [0]}, signal: {kind: piecewise_linear, segments: 16}}
END
expect 0 "$PROGRAM" control block.yaml -o block
has out '^no control, of any number of segments, brings the motion itself to the target for less than 3\.49[0-9]* \(0\.9[0-9]* of (the refined )?J; R1, [0-9.]+ s\)$'
holds block '.relaxation == "R1" and .verified and .left_out == 0 and .lower_bound > 3.49 and .lower_bound < 3.5 and (.gap + .lower_bound / .J | near(1; 1e-12))'
that "its seconds are apart" jq -e '.seconds.bounding > 0' block/summary.json >/dev/null
expect 0 "$PROGRAM" control block.yaml -o force --set 'control.bounds={lower: -2.2, upper: 2.2}'
has out '^no control within the bounds of u, of any number'
holds force '.lower_bound > 3.49 and .lower_bound < 3.5089'
expect 0 "$PROGRAM" control block.yaml -o no --set search.bound=no
holds no '. == null'

# the arm: 62.785 is the least that is known; to a gap, the same on several ranks
expect 0 "$PROGRAM" control "$arm" -o arm
holds arm '.lower_bound > 56.7 and .lower_bound < 62.785'
expect 0 mpi_run 3 "$PROGRAM" control "$arm" -o arm3
that "3 ranks prove the same" cmp <(bound arm) <(bound arm3)
near=(--set 'search.bound={gap: 0.07, max_seconds: 0}')
expect 0 "$PROGRAM" control "$arm" -o near "${near[@]}"
holds near '.cases > 1 and .gap < 0.07 and .lower_bound < 62.785'
has out '\(0\.9[0-9]* of the refined J; R1 in [0-9]+ cases, [0-9.]+ s\)$'
for ranks in 2 3; do
  expect 0 mpi_run $ranks "$PROGRAM" control "$arm" -o near$ranks "${near[@]}"
  that "$ranks ranks split the same cases" cmp <(bound near) <(bound near$ranks)
done

# stopped twice on the way, what is proven until then is there; it goes on to the same end, without what it has done
closer=(--set 'search.bound={gap: 0.04, max_seconds: 0}' --set checkpoint.seconds=0)
answered() { grep -qs '"refined"' "$1/summary.json"; }
kept=
comes_further() { # DIR: its checkpoints have changed since the last that was seen
  local now
  now=$(cat "$1"/checkpoint/state.? 2>/dev/null | cksum)
  [ "$now" != "$kept" ] && kept=$now
}
stops_further() { # SIGNAL DIR PID: after the bound has come further
  that "$2: the answer is there" soon 60 answered "$2"
  comes_further "$2"
  for _ in 1 2 3; do that "$2: the bound comes further" soon 60 comes_further "$2"; done
  signalled "$1" 85 "$3"
}
steps() { tr '\r' '\n' <err | sed -n 's/^a bound for any control: step \([0-9]*\).*/\1/p' | sort -n | tail -n 1; }
expect 0 "$PROGRAM" control "$arm" -o closer "${closer[@]}" --progress
whole=$(steps)
"$PROGRAM" control "$arm" -o stopped "${closer[@]}" >out 2>err &
stops_further TERM stopped $!
has out '^not as near as wanted: no control within the bounds of u, '
holds stopped '.lower_bound > 55 and .lower_bound < 62.785'
"$PROGRAM" resume stopped >out 2>err &
stops_further TERM stopped $!
cp -r stopped several
expect 0 "$PROGRAM" resume stopped --progress
that "the same bound" cmp <(bound closer) <(bound stopped)
that "$(steps) steps of $whole" test $((10 * $(steps))) -lt $((9 * whole))
# likewise on two ranks
comes_further several
mpi_exec 2 "$PROGRAM" resume several >out 2>err &
launcher=$!
that "several: the bound comes further" soon 60 comes_further several
signalled USR1 85 $launcher
expect 0 mpi_run 2 "$PROGRAM" resume several
that "the same bound on two ranks" cmp <(bound closer) <(bound several)

# stopped twice by what comes no further, it is given up; so are the more starts that follow
cat >slow.yaml <<'END'
model: {kind: friction, mass: [1, 1, 1], stiffness: [[4, -2, 0], [-2, 4, -2], [0, -2, 4]], friction: [0.8, 3.4, 1]}
time: {end: 8, step: 0.01}
control: {target: {position: [0.9, -0.89, 0.3], velocity: 0}, signal: {kind: piecewise_constant, segments: 6}}
search: {local_starts: 1, restarts: 0, bound: {gap: 1e-4, max_seconds: 0}}
checkpoint: {seconds: 0}
END
"$PROGRAM" control slow.yaml -o slow >out 2>err &
stops_further TERM slow $!
rm slow/summary.json # which is written anew, before the bound goes on
"$PROGRAM" resume slow >out 2>err &
that "the answer is there once more" soon 60 answered slow
signalled TERM 85 $!
rm slow/summary.json
"$PROGRAM" resume slow >out 2>err &
that "the bound is there at once" soon 60 grep -qs '"lower_bound"' slow/summary.json
signalled TERM 0 $!
has out '^not as near as wanted, stopped on a signal twice: no control, '

# a gap that is out of reach: what is proven in the time; the first is always tried
expect 0 "$PROGRAM" control block.yaml -o late --set 'search.bound={gap: 1e-9, max_seconds: 1e-6}'
has out '^not as near as wanted, for want of time: no control, of any number of segments, '
holds late '.relaxation == "R1" and .left_out == 6'
that "the first is the default's" test "$(jq .outcome.bound.lower_bound late/summary.json)" = "$(jq .outcome.bound.lower_bound block/summary.json)"

# where one start finds a dear control, and more of J is left than wanted, more starts follow: the bound holds of what they find, too
cat >springs.yaml <<'END'
model: {kind: friction, mass: [1, 1], stiffness: [[38.5, -38.5], [-38.5, 38.5]], friction: [0.8, 3.4]}
time: {end: 2, step: 0.01}
control: {target: {position: [0.9, -0.89], velocity: 0}, signal: {kind: piecewise_constant, segments: 6}}
search: {local_starts: 1, restarts: 0}
END
expect 0 "$PROGRAM" control springs.yaml -o one --set search.bound=no
J() { jq .outcome.refined.J "$1/summary.json"; }
cheaper() { awk -v a="$(J one)" -v b="$(J more)" 'BEGIN { exit !(b < 0.5 * a) }'; }
for seconds in 6 24 96; do # how many of the starts are done in a time depends on what else the machine does
  rm -rf more
  expect 0 "$PROGRAM" control springs.yaml -o more --set "search.bound={gap: 0.8, max_seconds: $seconds}"
  has out '^0\.[0-9]* of J may be left: the search begins once more, with 256 starts$'
  cheaper && break
done
that "a cheaper one: $(J more), before $(J one)" cheaper
holds more '.lower_bound < .J'
that "the bound is of it" test "$(jq .outcome.bound.J more/summary.json)" = "$(J more)"
# stopped in that: what has been proven is there; stopped twice, it is left out
stop_in_more_starts() {
  "$PROGRAM" "$@" >out 2>err &
  that "the bound is there" soon 60 grep -qs '"lower_bound"' twice/summary.json
  kill -TERM $!
  code=0
  wait $! || code=$?
}
stop_in_more_starts control springs.yaml -o twice --set 'search.bound={gap: 0.1, max_seconds: 4}'
that "exit $code instead of 85" test $code -eq 85
holds twice '.lower_bound > 0 and .lower_bound < .J'
rm twice/summary.json # which is written anew
stop_in_more_starts resume twice
that "exit $code instead of 0" test $code -eq 0
holds twice '.lower_bound > 0 and .lower_bound < .J'

# only where it is asked for: in sweeps, with --confined (as by a service), with scenarios
expect 0 "$PROGRAM" sweep block.yaml --vary 'model.friction=[1, 2]' -o sweep --keep
that "no columns" test "$(head -n 1 sweep/sweep.csv | grep -c bound)" -eq 0
holds sweep/runs/0 '. == null'
expect 0 "$PROGRAM" sweep block.yaml --vary 'model.friction=[1, 2]' --set search.bound=yes -o asked
has asked/sweep.csv ',bound.lower_bound,bound.gap$'
that "1 N" awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "bound.lower_bound") at = k }
  NR == 2 { exit !($at > 3.49 && $at < 3.5) }' asked/sweep.csv
expect 0 "$PROGRAM" control block.yaml -o confined --confined
holds confined '. == null'
expect 0 "$PROGRAM" control block.yaml -o scenarios --set 'scenarios={vary: {model.friction: {relative: 0.05}}, count: 4}'
holds scenarios '. == null'

# where there can be none: silent by default, reported by check, refused where it is wanted
stops='model.stops={upper: 2, restitution: 0.5}'
expect 0 "$PROGRAM" control block.yaml -o stops --set "$stops"
holds stops '. == null'
expect 0 "$PROGRAM" check block.yaml --set "$stops"
has out '^bound      none that holds for any control: model\.stops: with search\.bound \(expected none: v jumps there\)$'
expect 2 "$PROGRAM" check block.yaml --set "$stops" --set search.bound=yes
has err 'model\.stops: with search\.bound'
expect 0 "$PROGRAM" check block.yaml
has out '^bound      for any control, where it takes less than the search \(search\.bound: auto\)$'
expect 3 "$PROGRAM" control block.yaml -o unmet --set search.bound=yes --set search.max_simplexes=1 --set search.method=pds
holds unmet '.reason | test("no control is known")'
expect 0 "$PROGRAM" control block.yaml -o still --set search.bound=yes --set 'control.target={position: [0]}'
holds still '.reason == "no control costs less than J = 0"'

# nothing meets the target: proven where even full force brings the block nowhere near; with T = 2 s it needs 1.618 N (a bang from rest to rest)
weak() { expect 3 "$PROGRAM" control block.yaml -o weak --force --set time.end=2 --set 'control.target={position: 1, velocity: 0}' --set "control.bounds={lower: -$1, upper: $1}" "${@:2}"; }
weak 1.5
has out '^out of reach: within the bounds of u J is at most 4\.5, and the target takes more \(proven by R1, '
has err 'the target is out of reach: no control within control\.bounds meets it exactly \(proven\); nearest: '
holds weak '.out_of_reach == true and .most == 4.5'
weak 1.05
that "by far" grep -q '^out of reach: ' out
holds weak '.out_of_reach == true and (.most | near(2.205; 1e-12))'
weak 0.001
has err 'the target is out of reach: nothing ever moves from rest \(proven\)'
weak 1.5 --set search.bound=no
has err 'no control found that meets the target; nearest: '
weak 1.6
that "too near for R1 in 4 intervals" test "$(grep -c 'out of reach' out err | grep -vc ':0')" = 0
weak 1.6 --set 'search.bound={gap: 0.1, max_seconds: 0}'
holds weak '.out_of_reach == true'
expect 0 "$PROGRAM" control block.yaml -o strong --set time.end=2 --set 'control.target={position: 1, velocity: 0}' --set 'control.bounds={lower: -2, upper: 2}'

# a proof that is wrong is found out by the answer's motion
expect 4 env STICTION_OVERSTATED=1.05 "$PROGRAM" control block.yaml -o wrong
has err 'the bound for any control: proven: to end there takes J >= 3\.6[0-9]*, but its motion has 3\.6[0-9]* '
has out '^no bound for any control: '
holds wrong 'has("lower_bound") | not'
expect 4 env STICTION_OVERSTATED=1.06 "$PROGRAM" control "$arm" -o wrong_cases --set 'search.bound={gap: 0.01, max_seconds: 0}'
has err 'the bound for any control: proven: to end there takes J >= 6[0-9.]*, but its motion has 64\.0[0-9]* '
every_summary .
verdict
