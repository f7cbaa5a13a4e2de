#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Scenarios, from the command line: numbers that vary, against a closed form; derivatives beside slopes; the same bytes for any number of
# ranks and after a resume.
#   usage: tests/program/scenarios.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq and awk
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# known DIR JQ: true of outcome.scenarios
known() { jq -e ".outcome.scenarios | $2" "$1/summary.json" >jq.out; }
# columns FILE NAME..: these columns without their names
columns() {
  local file=$1
  shift
  awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (k = 1; k <= NF; k++) at[$k] = k; next }
    { for (k = 1; k <= n; k++) printf "%s%s", (k > 1 ? " " : ""), $at[name[k]]; print "" }' "$file"
}

# A block of 1 kg thrown at 5 m/s along a floor that rubs with c comes to rest at 12.5/c. So the miss of x = 0 falls as c rises.
cat >slide.yaml <<'END'
model: {kind: friction, mass: 1, friction: 5, v0: 5}
time: {end: 5, step: 0.05}
scheme: {name: event}
control: {target: {position: [0], velocity: [0]}}
scenarios: {count: 64, vary: {model.friction: {relative: 0.2}}}
END
expect 0 "$PROGRAM" simulate slide.yaml --scenarios -o slide
has out '^64 scenarios, E1 \+ E2: half below 2.5, 95 % below 3,'
columns slide/scenarios.csv model.friction miss share v1 >rows
that "each ends at 12.5/c, at rest" awk '{ e = $2 - 12.5 / $1; if (e * e > 1e-20 || $4 != 0) exit 1 }' rows
that "each of 64 equal parts of 4 to 6 N has one" \
  test "$(awk '{ print int(($1 - 4) * 32) }' rows | sort -n | tr '\n' ' ')" = "$(seq -s' ' 0 63) "
sort -g rows >sorted # by c: from the largest miss to the least
for quantile in 0.5 0.9 0.95 0.99; do
  that "the miss at the quantile is the quantile of the miss: $quantile" known slide \
    ".miss.quantiles[\"$quantile\"] == $(awk -v k="$quantile" '{ miss[NR] = $2 } END { print miss[64 - int(64 * k + 0.999) + 1] }' sorted)"
done
that "the worst has the least friction" known slide ".miss.worst.numbers[\"model.friction\"] == $(head -1 sorted | cut -d' ' -f1)"
that "shares fall as friction rises" awk '{ if ($3 != 1 - (NR - 1) / 64) exit 1 }' sorted
that "the file's own number" known slide '.miss.nominal - 2.5 | fabs < 1e-12'
that "the derivative is -12.5/c^2 for each width" known slide '.keys[0].derivative.x_T[0] + 0.5 | fabs < 1e-6'
that "of the motion itself" known slide '.keys[0].derivatives == "motion"'
that "the plane's slope is near it" known slide '.keys[0].sampled.x_T[0] + 0.51 | fabs < 0.01'
expect 0 "$PROGRAM" simulate slide.yaml --scenarios -o again --set scenarios.seed=2 -q
columns again/scenarios.csv model.friction >again.rows
that "another seed: none of its points is one of the first" \
  test -z "$(columns slide/scenarios.csv model.friction | cat - again.rows | sort | uniq -d)"
that "they lie as evenly" test "$(awk '{ print int(($1 - 4) * 32) }' again.rows | sort -n | tr '\n' ' ')" = "$(seq -s' ' 0 63) "
for count in 3 4; do # a plane of two numbers, by twice as many scenarios
  expect 0 "$PROGRAM" simulate slide.yaml --scenarios -o few$count -q --set scenarios.count=$count
  that "$count scenarios: a slope by them where they can tell one" known few$count ".keys[0].sampled.x_T $([ $count = 4 ] && echo '!=' || echo '==') null"
done
expect 0 "$PROGRAM" simulate slide.yaml --scenarios -o normal -q --set scenarios.count=1024 --set scenarios.distribution=normal \
  --set scenarios.vary='{model.friction: {absolute: 0.5}}'
columns normal/scenarios.csv model.friction >rows
that "a normal distribution cut off at three deviations" awk '{ s += $1 - 5; q += ($1 - 5) ^ 2; if ($1 < 3.5 || $1 > 6.5) exit 1 }
  END { m = s / NR; d = sqrt(q / NR); exit !(m * m < 1e-5 && (d / 0.5 - 0.98658) ^ 2 < 1e-6) }' rows

# an impossible scenario is reported in the same way by any number of ranks
impossible=("$problems/tp1.yaml" --scenarios --set 'scenarios={count: 4, seed: 1, vary: {model.mass: {relative: 1.3}}}' -o impossible)
expect 2 "$PROGRAM" simulate "${impossible[@]}"
has err 'scenarios.vary: scenario [0-9] of 4 cannot be: model.mass'
that "in one line" test "$(wc -l <err)" -eq 1
cp err alone.err
for n in 2 3; do
  expect 2 mpi_run $n "$PROGRAM" simulate "${impossible[@]}"
  grep -F scenarios.vary: err >ranks.err # without the launcher's messages
  that "on $n ranks, too" cmp alone.err ranks.err
  that "and nothing is written" absent impossible
done

# lists, one number for all, rows, springs: each entry on its own, or all together
three=(--set model.v0=0.5 --set 'scenarios={count: 32, vary: {model.friction: {relative: 0.2}, model.mass: {relative: 0.1}, model.stiffness: {relative: 0.1}}}')
expect 0 "$PROGRAM" simulate "$problems/tp1.yaml" "${three[@]}" --scenarios -o each -q
that "10 N for all, and a list, vary each on its own, rows together" known each \
  '[.keys[].key] == ["model.friction[1]", "model.friction[2]", "model.friction[3]", "model.mass[1]", "model.mass[2]", "model.mass[3]", "model.stiffness"]'
that "rows by a factor" known each '.keys[6] | .factor == 1 and .width == 0.1'
that "its scheme has no derivatives" known each '[.keys[].derivatives] | unique == ["differences"]'
columns each/scenarios.csv model.mass[2] model.stiffness >rows
that "in their ranges" awk '$1 < 4.5 || $1 > 5.5 || $2 < 0.9 || $2 > 1.1 { exit 1 }' rows
expect 0 "$PROGRAM" simulate "$problems/tp1.yaml" "${three[@]}" --scenarios -o together -q --set scenarios.correlated=yes
that "correlated: each key has one" known together '[.keys[].key] == ["model.friction", "model.mass", "model.stiffness"]'
expect 0 "$PROGRAM" simulate "$problems/tp2-springs.yaml" --scenarios -o springs -q \
  --set 'scenarios={count: 4, vary: {model.stiffness.springs: {relative: 0.1}}}'
that "springs" known springs '.keys | length == 4'

# a table of friction, inline or of a file, varies as a whole; a control's own reading of its problem has it, too
cat >oiled.yaml <<END
model: {kind: friction, mass: 1, v0: 2, friction_table: {file: $problems/measured-friction.csv}}
time: {end: 0.3, step: 0.01}
scheme: {name: event}
control: {target: {position: [0.7]}}
scenarios: {count: 3, vary: {model.friction_table: {relative: 0.2}}}
END
expect 0 "$PROGRAM" control oiled.yaml -o oiled -q
columns oiled/scenarios.csv model.friction_table x1 >rows
for k in 1 2 3; do
  read -r factor end <<<"$(sed -n "${k}p" rows)"
  expect 0 "$PROGRAM" simulate oiled.yaml --control oiled -o "oiled$k" -q --set model.friction="3*$factor" --set scenarios.vary='{model.mass: {relative: 0.1}}'
  that "the table times $factor" jq -e ".outcome.x_T[0] - $end | fabs < 1e-12" "oiled$k/summary.json" >jq.out
done
that "not the file's own friction" awk '$1 == 1 { exit 1 }' rows

# viscous friction, which is a part of D's diagonal, is not in what varies of damping
cat >drag.yaml <<'END'
model: {kind: friction, mass: [1, 2], stiffness: {springs: [10, 20, 0]}, damping: 0.3, viscous: 0.5, friction: 0.1, x0: [0.3, 0.1]}
time: {end: 3, step: 0.01}
scenarios: {count: 4, vary: {model.damping: {absolute: 1.0e-12}}}
END
expect 0 "$PROGRAM" simulate drag.yaml --scenarios -o drag -q
that "each has the file's own damping" known drag '[.keys[].value] == [0.3, 0.3]'
that "and hardly another motion" jq -e '.outcome | [.x_T, .v_T, .scenarios.x_T.mean, .scenarios.v_T.mean] |
  [.[0] + .[1], .[2] + .[3]] | transpose | all(.[]; .[0] - .[1] | fabs < 1e-10)' drag/summary.json >jq.out

# derivatives agree with differences of motions
expect 0 "$PROGRAM" simulate "$problems/tp1.yaml" --scenarios -o mass -q --set scheme='{name: event}' \
  --set 'scenarios={count: 2, vary: {"model.mass[1]": {absolute: 0.1}}}'
for side in 3.9999 4.0001; do
  expect 0 "$PROGRAM" simulate "$problems/tp1.yaml" -o "mass$side" -q --set scheme='{name: event}' --set model.mass[1]=$side
done
that "by mass" jq -e -s '[range(3)] | map(. as $i | ($all[2].outcome.x_T[$i] - $all[1].outcome.x_T[$i]) / 0.002 -
  $all[0].outcome.scenarios.keys[0].derivative.x_T[$i] | fabs < 1e-6) | all' --slurpfile all \
  <(cat mass/summary.json mass3.9999/summary.json mass4.0001/summary.json) mass/summary.json >jq.out

# after control: the same bytes on any number of ranks, and after a resume; what simulate --scenarios says of that control
expect 0 "$PROGRAM" control "$problems/scenarios.yaml" --set scenarios.count=300 -o one # more than a message to a worker takes
has out '^300 scenarios, E1 \+ E2: half below'
has out '^  model.friction by 0.2: 0.4 by derivatives'
expect 0 mpi_run 3 "$PROGRAM" control "$problems/scenarios.yaml" --set scenarios.count=300 -o three -q
that "three ranks" cmp one/scenarios.csv three/scenarios.csv
that "the same summary" diff <(jq -S .outcome one/summary.json) <(jq -S .outcome three/summary.json)
expect 0 mpi_run 3 "$PROGRAM" simulate "$problems/scenarios.yaml" --set scenarios.count=300 --scenarios --control one -o replayed -q
that "replayed on three ranks" cmp one/scenarios.csv replayed/scenarios.csv
that "with the same outcome" diff <(jq -S .outcome.scenarios one/summary.json) <(jq -S .outcome.scenarios replayed/summary.json)
expect 0 "$PROGRAM" plot one
figures one positions velocities multipliers control energy search scenarios
cp -r one resumed
jq 'del(.exit)' one/checkpoint/run.json >resumed/checkpoint/run.json
expect 0 "$PROGRAM" resume resumed -q
that "gone on with from what it has saved, it ends with the same bytes" cmp one/scenarios.csv resumed/scenarios.csv

# what cannot be
expect 2 "$PROGRAM" simulate "$problems/tp1.yaml" --scenarios -o none
has err 'without a section scenarios'
expect 2 "$PROGRAM" simulate "$problems/scenarios.yaml" --scenarios --verify -o none
has err 'verify is of one motion'
that "nothing is written then" absent none
# The answer of a least time with other numbers: u = 2 until t1, then -2 until T. The block stops before T where friction is large, and goes back.
cat >turned.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1}
time: {end: free, step: 0.005}
control:
  minimize: time
  bounds: {lower: -2, upper: 2}
  limits: {position: {upper: 1.02}}
  target: {position: [1], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 2, lengths: free}
scenarios: {count: 64, vary: {model.friction: {relative: 0.2}}}
END
expect 0 "$PROGRAM" control turned.yaml -o turned
has out '^64 scenarios, largest miss of a condition over max\(1, \|target\|\): half below '
has out '^  limits.position\[1\] .*\(<= 1.02 in [0-9.]+ %\)$'
columns turned/scenarios.csv model.friction 'target.position[1]' 'target.velocity[1]' 'limits.position[1].most' miss share >rows
that "each is that of the closed form" awk -v t1="$(jq '.outcome.lengths[0]' turned/summary.json)" -v T="$(jq .outcome.end turned/summary.json)" '
  function abs(a) { return a < 0 ? -a : a }
  { c = $1; v1 = (2 - c) * t1; x1 = v1 * t1 / 2; rest = T - t1; stop = v1 / (2 + c); most = x1 + v1 * stop / 2
    if (rest > stop) { back = rest - stop; x = most - (2 - c) * back * back / 2; v = -(2 - c) * back }
    else { x = x1 + v1 * rest - (2 + c) * rest * rest / 2; v = v1 - (2 + c) * rest; most = x }
    miss = abs(x - 1); if (abs(v) > miss) miss = abs(v)
    if (most - 1.02 > miss * 1.02) miss = (most - 1.02) / 1.02
    if (abs(x - $2) > 1e-9 || abs(v - $3) > 1e-9 || abs(most - $4) > 1e-9 || abs(miss - $5) > 1e-9) exit 1; n++ }
  END { exit n != 64 }' rows
that "the part that keeps the limit" known turned "(.quantities[] | select(.name == \"limits.position[1]\")).held ==
  $(awk '$4 <= 1.02 * (1 + 1e-6) { n++ } END { print n / 64 }' rows)"
that "the worst is the largest" known turned ".miss.worst.miss == $(awk '$5 > most { most = $5 } END { printf "%.17g", most }' rows) and .miss.nominal < 1e-6"
expect 0 mpi_run 3 "$PROGRAM" control turned.yaml -q -o turned-3
that "3 ranks: the same bytes" cmp turned/scenarios.csv turned-3/scenarios.csv
expect 0 "$PROGRAM" control turned.yaml -q -o even --set scenarios=null
that "the answer is that without scenarios" test "$(jq .outcome.f even/summary.json)" = "$(jq .outcome.f turned/summary.json)"
expect 0 "$PROGRAM" report turned
that "the report has them" grep -q 'Scenarios, largest miss of a condition' turned/report.html
expect 0 "$PROGRAM" simulate turned.yaml --scenarios --control turned -q -o turned-again
that "simulate --scenarios of the answer: the same bytes" cmp turned/scenarios.csv turned-again/scenarios.csv
expect 2 "$PROGRAM" simulate turned.yaml --scenarios -o no
has err '^stiction simulate: --scenarios of least time, .* simulates its answer \(expected --control DIR, results of stiction control\)$'
expect 2 "$PROGRAM" control turned.yaml -o no --set 'scenarios.vary={model.friction: {relative: 1.5}}'
has err 'scenarios.vary: scenario [0-9]+ of 64 cannot be'
# control.initial replaces x0 and v0: an entry that it finds or gives does not vary
for entry in x0:position:free v0:velocity:free x0:position:0.2 'x0:position:{at_least: 0, at_most: 1}'; do
  IFS=: read -r key part value <<<"$entry"
  expect 2 "$PROGRAM" check turned.yaml --set "model.$key=[0.5]" --set "control.initial={$part: [$value]}" --set "scenarios.vary={model.$key: {absolute: 0.1}}"
  has err "scenarios.vary.model.$key: model.$key\\[1\\] has no effect: control.initial replaces it"
  that "in one line" test "$(wc -l <err)" -eq 1
done
expect 0 "$PROGRAM" check turned.yaml --set model.x0=[0.5] --set model.v0=[0.1] --set 'control.initial={position: [free]}' --set 'scenarios.vary={model.v0: {absolute: 0.1}}'
expect 0 "$PROGRAM" check turned.yaml --set model.x0=[0.5] --set 'control.initial={position: [null]}' --set 'scenarios.vary={model.x0: {absolute: 0.1}}'
that "no directory is left" absent no


# A force in t: scenarios have T of the answer, though one with a friction that no force overcomes has another time scale.
cat >crane.yaml <<'END'
model: {kind: friction, mass: 20000, friction: 4.6, x0: [0], force: "0.2*sin(0.1*t)"}
time: {end: free, step: 0.5}
control:
  minimize: time
  bounds: {lower: -5, upper: 5}
  target: {position: [2], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 3, lengths: free}
scenarios: {count: 16, vary: {model.friction: {relative: 0.2}}}
END
expect 0 "$PROGRAM" control crane.yaml -q -o crane
columns crane/scenarios.csv model.friction 'target.position[1]' 'target.velocity[1]' >rows
that "each is that of small steps, at rest above 5.2 N" awk -v h=0.01 -v T="$(jq .outcome.end crane/summary.json)" \
  -v lengths="$(jq -r '.outcome.lengths | map(tostring) | join(" ")' crane/summary.json)" -v levels="$(jq -r '.outcome.u | flatten | map(tostring) | join(" ")' crane/summary.json)" '
  BEGIN { split(lengths, length_of, " "); split(levels, u, " ") }
  { x = v = 0
    for (t = 0; t < T; t += h) {
      f = 0.2 * sin(0.1 * t) + u[t < length_of[1] ? 1 : t < length_of[1] + length_of[2] ? 2 : 3]
      now = v
      v += h * (f - (v > 0 ? $1 : v < 0 ? -$1 : f > $1 ? $1 : f < -$1 ? -$1 : f)) / 20000
      if (now * v < 0) v = 0
      x += h * v }
    if ((x - $2) ^ 2 > 1e-4 || (v - $3) ^ 2 > 1e-10 || ($1 > 5.2 && $2 != 0)) exit 1
    rests += $1 > 5.2; n++ }
  END { exit n != 16 || rests < 2 }' rows
that "bounds of T, the same in all scenarios, are left out" known crane '[.quantities[].name] == ["target.position[1]", "target.velocity[1]", "minimize.time"]'
that "of scenarios.csv, too" test "$(head -1 crane/scenarios.csv)" = 'scenario,model.friction,miss,share,target.position[1],target.velocity[1],minimize.time'
expect 0 "$PROGRAM" control crane.yaml -q -o crane --force --set 'time.end={at_most: 1000}'
that "those that it gives, too" known crane '[.quantities[].name] == ["target.position[1]", "target.velocity[1]", "minimize.time"]'

# Scenarios with a speed too large to be squared have failed: none of their values is left.
cat >fast.yaml <<'END'
model: {kind: friction, mass: 1, friction: 0.1, x0: [0], v0: [0]}
time: {end: 2, steps: 400}
scheme: {name: event}
control: {minimize: {effort: 1, track: {velocity: 1}}, target: {position: [1]}, signal: {kind: piecewise_constant, segments: 4}}
scenarios: {count: 4, vary: {model.v0: {absolute: 1.0e+200}}}
END
expect 0 "$PROGRAM" control fast.yaml -q -o fast
has err '4 of 4 scenarios have no motion to the end'
columns fast/scenarios.csv 'target.position[1]' minimize.effort 'minimize.track.velocity[1]' >rows
that "no value is left" test "$(sort -u rows)" = 'nan nan nan'

every_summary .
verdict
