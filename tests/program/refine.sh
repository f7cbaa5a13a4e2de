#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# After a search: its answer is refined on the exact motion or the grid, and compared with a least effort; replayed, resumed, on
# several ranks, left out.
#   usage: tests/program/refine.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml
small=(--set search.scheme_size=64)

# holds DIR CONDITION [TEXT]: of a summary
holds() { that "$1: ${3:-$2}" jq -e "def near(a; e): . - a | fabs < e; $2" "$1/summary.json" >/dev/null; }
# own DIR: what a summary says besides the refined answer
own() { jq -S 'del(.outcome.refined, .problem.search.refine, .seconds, .ranks, .utilisation)' "$1/summary.json"; }

# a search on the grid; the motion itself costs more
expect 0 "$PROGRAM" control "$tp1" -o tp1 "${small[@]}"
has out '^refined: J = 474.0676684, E1 = [^ ]+, E2 = 0 on the motion itself \([0-9]+ simulations; its u is outcome\.refined\.u\)$'
that "a least effort" test "$(grep -c 'not a least effort' out)" -eq 0
holds tp1 '.outcome.J | near(468.0668545; 1e-6)' "the grid's own"
holds tp1 '.outcome.refined | .motion == "event" and .evaluations < 12 and .["E1"] <= 1e-9 and .["E2"] == 0'
holds tp1 '.outcome.refined.J | near(474.0676684; 1e-7)' "the least on the motion itself"
holds tp1 '[.outcome.refined.u, [12.0201629, -6.9998929, -9.5371791]] | transpose | all(.[]; .[1] as $u | .[0] | near($u; 1e-6))'
holds tp1 '.outcome | .optimality, .refined.optimality | .kkt < 1e-9 and .rank == 3 and .local_minimum == "yes" and
  (.multipliers | length) == 3'
expect 0 "$PROGRAM" simulate "$tp1" -o replay --control tp1 --set 'scheme={name: event}'
that "its replay ends there" jq -es '.[0].outcome.refined as $r | .[1].outcome | .u == $r.u and .J == $r.J and .["E1"] == $r["E1"]' \
  {tp1,replay}/summary.json >/dev/null
that "and is the motion in refined/" cmp tp1/refined/trajectory.csv replay/trajectory.csv
that "which ends at the target" diff <(tail -1 tp1/refined/trajectory.csv | cut -d, -f2-7) <(tail -1 replay/trajectory.csv | cut -d, -f2-7)
expect 0 "$PROGRAM" simulate "$tp1" -o any --control tp1
that "by any scheme" cmp <(jq .outcome.refined.u tp1/summary.json) <(jq .outcome.u any/summary.json)
expect 0 "$PROGRAM" simulate "$tp1" -o grid-replay --control tp1:grid
that "the grid's own is replayed" cmp <(jq .outcome.u tp1/summary.json) <(jq .outcome.u grid-replay/summary.json)
that "the trajectory is the grid's" cmp tp1/trajectory.csv grid-replay/trajectory.csv
expect 0 "$PROGRAM" check "$tp1" --set "control.start={from: $PWD/tp1}" --set 'scheme={name: event}'
that "a search by events starts there" cmp <(sed '1,/^as understood/d' out | jq .control.start) <(jq .outcome.refined.u tp1/summary.json)

# on the grid, or not at all: nothing else changes
for refine in grid none; do
  expect 0 "$PROGRAM" control "$tp1" -o $refine "${small[@]}" --set search.refine=$refine
  that "$refine: the search's own answer" diff <(own tp1) <(own $refine)
done
that "none: no word" test "$(grep -c refined out)" -eq 0
holds none '.outcome | has("refined") | not'
that "none: no motion of it" absent none/refined
holds grid '.outcome.refined | .motion == "centered" and (.J | near(468.0668545; 1e-6)) and .["E1"] < 1e-11'
expect 0 "$PROGRAM" simulate "$tp1" -o event-replay --control grid --set 'scheme={name: event}'
that "refined on the grid it is replayed, too" cmp <(jq .outcome.refined.u grid/summary.json) <(jq .outcome.u event-replay/summary.json)
expect 0 "$PROGRAM" control "$tp1" -o ends "${small[@]}" --set 'scheme={name: centered}' --set 'model.stops={upper: 50, stiffness: 1}'
holds ends '.outcome | (has("optimality") | not) and (.refined.J | near(474.0676684; 1e-7))' "a scheme without derivatives"
expect 0 "$PROGRAM" control "$problems/dashpot-control.yaml" -o dashpot
holds dashpot '.outcome | .optimality.local_minimum == "yes"' "derivatives of the steps"
expect 0 "$PROGRAM" control "$problems/dashpot-control.yaml" -o exact-dashpot --set scheme='{name: event}'
holds exact-dashpot '.outcome | .optimality.local_minimum == "yes" and has("exact")' "derivatives of the motion itself"

# refinement follows a search that ended by stop_at, and improves its answer; not one that ended by a budget
expect 0 "$PROGRAM" control "$tp1" -o early "${small[@]}" --set search.stop_at=1e-2
has out '^target not met \(stop_at\)'
holds early '.outcome | .["E1"] > 1e-6 and (has("optimality") | not) and (.refined.J | near(474.0676684; 1e-7))'
expect 3 "$PROGRAM" control "$tp1" -o budget "${small[@]}" --set search.max_simplexes=8
holds budget '.outcome | has("refined") | not'

# a search on the motion itself: SQP has been there
expect 0 "$PROGRAM" control "$tp1" -o pds-event "${small[@]}" --set 'scheme={name: event}'
holds pds-event '.outcome.refined.evaluations < 6'
expect 0 "$PROGRAM" control "$tp1" -o auto-event --set search.method=auto --set 'scheme={name: event}'
holds auto-event '.outcome | (has("refined") | not) and .optimality.local_minimum == "yes" and (.J | near(474.0676684; 1e-7))'

# a target that leaves freedom: PDS ends far from the least
expect 0 "$PROGRAM" control "$tp1" -o free "${small[@]}" --set 'control.target={position: [null, 0, null]}'
that "one answer is named" bash -c '! grep -q "J can fall" out err'
holds free '.outcome | .optimality.local_minimum == "no" and .optimality.kkt > 0.1 and .refined.J < .J / 10 and
  .refined.optimality.local_minimum == "yes" and .refined.optimality.reduced_hessian_min > 0'
expect 0 "$PROGRAM" control "$tp1" -o left "${small[@]}" --set 'control.target={position: [null, 0, null]}' --set search.refine=none
has out '^not a least effort: J can fall \(search.refine\)$'
has err 'warning: the answer is not a local minimum: J can fall beside it\. What may find a lower J: --set search\.refine=exact$'

# the same bytes on two ranks, and resumed
expect 0 mpi_run 2 "$PROGRAM" control "$tp1" -o ranks "${small[@]}"
that "two ranks" cmp <(stripped tp1) <(stripped ranks)
fine=("${small[@]}" --set time.step=0.0005 --set checkpoint.seconds=0)
expect 0 "$PROGRAM" control "$tp1" -o whole "${fine[@]}"
"$PROGRAM" control "$tp1" -o stopped "${fine[@]}" >out 2>err &
that "under way" soon 20 rows 4 stopped/search.csv
signalled TERM 85 $!
holds stopped '.outcome | has("refined") | not'
expect 0 "$PROGRAM" resume stopped
that "resumed" cmp <(stripped whole) <(stripped stopped)

# an answer at a kink, where less force lets the mass slip back: derivatives to one side say that force does nothing. Steps come to an
# end, and it is not said that J can fall
cat >kink.yaml <<'END'
model: {kind: friction, mass: 1.0102906249055783, stiffness: 22.726569325573301, friction: 2.9705656986960531, x0: 0.69211803403768823}
time: {end: 3.16, steps: 100}
scheme: {name: event}
control: {start: 1.2621646491064018, target: {position: [0.16928228947092022]}}
search: {method: pds, restarts: 0, scheme_size: 64}
END
expect 0 timeout 60 "$PROGRAM" control kink.yaml -o kink
has out '^J = 2\.428452636; local minimum: unknown \(by the derivatives J falls nearby, but no control tried there costs less; kkt = .*\)$'
has out '^many starts may find less: --set search\.method=auto$'
holds kink '.outcome.refined | (.J - 2.428452636 | fabs) < 1e-8 and .optimality.local_minimum == "unknown"'
expect 0 timeout 60 "$PROGRAM" control kink.yaml --set search.method=sqp -o kink-sqp

# the report shows both
expect 0 "$PROGRAM" report tp1
has tp1/report.html '<strong>Refined</strong> by event: J = 474.067'
that "the refined answer comes first" awk '/Refined<.strong> by event: J = 474.067/ { first = NR } /own answer on its grid: J = 468/ { exit !first }
  END { exit !first }' tp1/report.html
that "its end, too" grep -q "<th>x1</th>\|<th>1</th><td class=\"n\">$(tail -1 tp1/refined/trajectory.csv | cut -d, -f2 | xargs printf '%.6g')<" tp1/report.html
expect 0 "$PROGRAM" plot tp1
for name in positions velocities; do
  has tp1/figures/$name.svg '>grid<'
  that "$name: what is refined is the answer, the motion of the grid's is not drawn" lines tp1/figures/$name.svg '>exact<' 0
done
has tp1/report.html 'How near to a least effort'
# more targets than variables: control says so, as check does
expect 3 "$PROGRAM" control "$problems/tp1.yaml" -o few --set 'control.matrix=[[1], [0], [0]]' --set search.method=auto
has err '1 variable for 3 target entries: in reach only if friction brings the rest about'

# two joints that stop just at T
cat >rest.yaml <<'END'
model: {kind: friction, mass: [1, 2], friction: [1, 1]}
time: {end: 2, steps: 400}
scheme: {name: event}
control: {target: {position: [1, -1], velocity: [0, 0]}, signal: {kind: piecewise_constant, segments: 6}}
END
expect 0 "$PROGRAM" control rest.yaml -o rest
has out '^J = .*; local minimum: yes; reached by [0-9]+ of [0-9]+ starts?$'

# the search's budget of time holds for what follows on it, too: the motion itself of so stiff a file takes minutes
cat >stiff.yaml <<'END'
model: {kind: friction, mass: [2, 1], stiffness: [[1e7, 0], [0, 2e7]], friction: [1e-8, 1e-8], viscous: [2e6, 3e6], v0: [-0.05, 0.03]}
time: {end: 5, steps: 20}
control: {target: {position: [1, 1]}, start: [1e-7, 1e-7]}
search: {method: "nlopt:sbplx", max_evaluations: 100, max_seconds: 1, step: 1e-7, restarts: 0}
END
SECONDS=0
expect 3 "$PROGRAM" control stiff.yaml -o stiff
has out '^the motion itself is not known: out of time \(search\.max_seconds\)$'
has out '^[0-9.]+ s on 1 rank, of them [0-9.]+ s the search, [0-9]+ simulations a second$'
that "it ends near its budget, not after $SECONDS s" test "$SECONDS" -le 10
every_summary .
verdict
