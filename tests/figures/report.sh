#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The outcome in a report: starts that agree, local minimum and bound, stick and slip, impacts, slips, energy. The captions of a
# search speak of the panels that are drawn, and no text of a map lies outside of the picture.
#   usage: tests/figures/report.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

reported() { expect 0 "$PROGRAM" "${@:2}" -o "$1" --quiet && expect 0 "$PROGRAM" report "$1" --quiet; }
caption() { grep -A1 '<figure id="search"' "$1/report.html" | head -1 >caption; } # of the search, in the file caption

# A simulation with stops: the counts of its summary, and times by events.csv.
reported stops simulate "$problems/stops.yaml"
has stops/report.html "Impacts on stops</strong>: $(jq .counts.impacts stops/summary.json) "
read -r stuck times changes < <(awk -F, '$4 == "stick" { s += $3 - $2; n++ } $4 ~ /stick|slip/ { c++ }
  END { printf "%.6g %d %d", s, n, c - 1 }' stops/events.csv)
has stops/report.html "Time stuck</strong>, of 5 s: dof 2: $stuck s \($times times\)"
has stops/report.html "Changes between stick and slip</strong>: $changes<"
loss=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "impacts") c = i; next }
  { if ($c - last > most) most = $c - last; last = $c } END { printf "%.6g", most }' stops/energy.csv)
has stops/report.html "to the next: $loss J at t = "
balance=$(jq -r '.energy | "\(.work) \(.stored) \(.dissipated) \(.impacts)"' stops/summary.json |
  awk '{ printf "work %.6g = stored %.6g [+] dissipated %.6g [+] impacts %.6g [+] numerical", $1, $2, $3, $4 }')
has stops/report.html "Energy balance</strong>, J: $balance"
has stops/report.html 'Range of the motion'
jq '.energy.closes = false' stops/summary.json >open.json && mv open.json stops/summary.json
expect 0 "$PROGRAM" report stops --quiet
has stops/report.html 'The balance does not close'

# A search by SQP from several starts: how many agree. Its caption does not speak of a simplex.
reported found control "$problems/signal-2x8.yaml" --set scheme.name=event --set search.bound=no
has found/report.html "Starts that led to this answer</strong>: $(jq -r '.outcome.starts | "\(.reached) of \(.runs)"' found/summary.json)<"
has found/report.html "Local minimum</strong>: $(jq -r .outcome.optimality.local_minimum found/summary.json)<"
has found/report.html "by the method auto, after $(jq .counts.evaluations found/summary.json) evaluations"
caption found
has caption 'E1: the error of the position; E2: the error of the velocity; step: '
that "a search by SQP has no simplex" lines caption simplex 0
jq '.outcome.starts.reached = 1' found/summary.json >few.json && mv few.json found/summary.json
that "a minimum is no cause for advice" lines found/report.html 'costs less. What may find' 0
expect 0 "$PROGRAM" report found --quiet
has found/report.html '1 of [0-9]+; more starts .search.local_starts. may find a better one'

# The advice is that of the terminal.
expect 0 "$PROGRAM" control "$problems/tp1.yaml" -o left --quiet --set search.scheme_size=16 --set search.penalty=P --set search.refine=none \
  --set 'control.target={position: [null, 0, null]}'
advice=$(sed -n 's/.*the answer is not a local minimum: .* beside it[.] //p' err)
that "the terminal and the summary advise the same" test "$(jq -r .outcome.advice left/summary.json)" = "${advice:-none}"
expect 0 "$PROGRAM" report left --quiet
that "so does the report" grep -qF "Local minimum</strong>: no: a control beside this one costs less. $advice</li>" left/report.html

# One truth: the local minimum above is that of the table below, of the refined answer. u has the times of its segments, and the keys of
# the file have the meaning that help prints. A joint that comes to rest at T, but for rounding, does not stick; events.csv has it still.
cat >rest.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.005}
scheme: {name: moreau}
control: {target: {position: [1], velocity: [0]}, signal: {kind: piecewise_constant, segments: 10}}
END
reported rest control rest.yaml
minimum=$(jq -r .outcome.refined.optimality.local_minimum rest/summary.json)
has rest/report.html "Local minimum</strong>: $minimum<"
that "the table agrees" test "$(grep -o 'local_minimum</th><td>[^<]*' rest/report.html)" = "local_minimum</th><td>$minimum"
has rest/report.html '<tr><td class="n">0.2</td><td class="n">0.4</td><td class="n">2.0606'
has rest/report.html "<tr><th>time.step</th><td>0.005</td><td class=\"dim\">$("$PROGRAM" help time.step | sed -n '1s/^[^:]*: //p')<"
has rest/refined/events.csv ',stick$'
has rest/report.html 'Changes between stick and slip</strong>: 0<'
has rest/report.html 'Time stuck</strong>, of 2 s: dof 1: 0 s<'
that "no caption has bounds or limits that are not there" lines rest/report.html 'its bounds\|limits' 0

# Round-off has no panel: neither that of the energy balance, nor misses that every round accepts. Thin curves, names of numbers and J are explained.
has rest/report.html 'closing error, since t = 0. The closing error is round-off, at most [0-9.e-]* J, and not drawn.</p>'
has rest/report.html 'E2: the error of the velocity, accepted in all rounds, not drawn; step: .*; dashed: up to where E is accepted</p>'
has rest/report.html 'The control u.t.. Dashed, grid: the search.s own answer, on its grid of time steps.</p>'
has rest/report.html '<th>ivps</th><td>[0-9]*</td><td class="dim">motions simulated'
has rest/report.html 'J is the effort, the integral of N u.u over time. E1 is .* divided by the largest entry of its target'
# u of the constant pieces jumps: in its curves each line is level or upright
expect 0 "$PROGRAM" plot rest --quiet
that "no slanted line in the control" awk -v blue="rgb\\(  0, 114, 178\\)'  d='" '
  $0 ~ blue { on = 1; n = 0; sub(/.* d=./, "") }
  { ended = /\/>/; gsub(/[ML]|.\/>.*/, " ") }
  on { for (k = 1; k <= NF; k++) { split($k, at, ","); if (n++ && at[1] != x && at[2] != y) slanted++; x = at[1]; y = at[2]; points++ } }
  ended { on = 0 }
  END { exit !(points > 100 && !slanted) }' rest/figures/control.svg
# A mechanism is drawn to scale.
reported arm simulate "$problems/reach.yaml"
has arm/report.html '<text [^>]*>0.5 m</text>'
# Two efforts of a sweep have names and are explained.
expect 0 "$PROGRAM" sweep rest.yaml --vary "model.friction=[0.5,1]" -o swept --quiet
expect 0 "$PROGRAM" report swept --quiet
has swept/report.html 'J: the effort of the search.s own answer. refined.J: of the answer refined on the motion itself.'

# What an identification has found: values with their units and errors, correlations, residuals, the picture of the fit.
reported fit identify "$problems/identify.yaml"
while IFS=$'\t' read -r path unit value error; do
  has fit/report.html "<tr><th>${path//[][]/.}</th><td>${unit#-}</td><td class=\"n\">$(printf %.7g "$value")</td><td class=\"n\">&plusmn; $(printf %.2g "$error")</td>"
done < <(jq -r '.identification.parameters | to_entries[] | [.key, .value.unit // "-", .value.value, .value.error] | @tsv' fit/summary.json)
that "thresholds have their unit" test "$(jq -r '.identification.parameters["model.friction[2]"].unit' fit/summary.json)" = N
has fit/report.html '<strong>The model fits</strong>: the residuals are 0.9798 times the deviations given'
has fit/report.html "<tr><th>2 model.friction.2.</th><td class=\"n\">$(jq '.identification.correlation[1][0]' fit/summary.json | xargs printf %.2f)</td><td class=\"n\">1.00</td>"
rms=$(awk -F, 'NR > 1 && $4 == $4 + 0 { s += $4 * $4; n++ } END { printf "%d</td><td class=\"n\">%.4g", n, sqrt(s / n) }' fit/fit.csv)
has fit/report.html "<tr><th>x1</th><td>m</td><td class=\"n\">$rms<"
has fit/report.html '<figure id="fit">'
that "without steps nothing is due to them" lines fit/report.html 'time steps' 0
reported steps identify "$problems/identify.yaml" --set scheme.name=moreau --set time.step=0.1
has steps/report.html '<strong>The time steps move the values</strong>: model\..* by [0-9.e+]* times its standard error'
has steps/report.html 'due to time steps</th>'

# A plan has no E2, and its variables no common unit. A single simplex has an edge.
reported plan control "$problems/least-time-spring.yaml"
caption plan
has caption 'E1: the largest miss of a condition'
that "a plan has neither E2 nor a simplex" lines caption 'E2\|simplex' 0
that "its captions have no limits and no points to pass" lines plan/report.html 'figcaption.*\([Ll]imits\|to pass\)' 0
has plan/report.html 'steps of at most '
reported limited control "$problems/least-time-spring.yaml" --set control.limits='{speed: 1}'
has limited/report.html 'figcaption.*position of each degree of freedom.<'
has limited/report.html 'figcaption.*velocity of each degree of freedom. Dashed: limits; shaded: beyond the limits. Rings: instants'
reported simplex control "$problems/tp1.yaml" --set search.method=pds --set search.scheme_size=16 --set search.penalty=P --set search.refine=none
caption simplex
has caption 'edge: the simplex.s longest edge'

# Many degrees of freedom: fractions and slips. The titles of colour bars are inside of their pictures.
reported string simulate "$problems/string-plucked.yaml" --set time.end=0.2
has string/report.html 'Stuck</strong>: [0-9.]+ % of the dofs with friction'
has string/report.html 'Slips</strong>: [0-9]+ in [0-9]+ events?; largest event: [0-9.]+ m'
that "text is at least its height below the upper edge" awk -F'[(,)]' '
  /<g transform="translate\(.*font-size="15/ { texts++; if ($3 < 15) high++ } END { exit !(texts > 20 && !high) }' string/report.html
verdict
