#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Figures of friction models and dash-pots, of two runs, of searches: which there are, and that they show the results.
#   usage: tests/figures/plot.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml

shaded() { grep -c '<polygon.*rgb(227, 227, 227)' "$1"; }
stuck() { grep -c ',stick$' "$1/events.csv"; }

expect 0 "$PROGRAM" simulate "$tp1" -o plain
has plain/energy.csv '^t,work,stored,dissipated,numerical,closure$'
that "energy.csv ends with the summary's balance" test \
  "$(tail -n 1 plain/energy.csv | awk -F, '{ printf "%.9g %.9g", $2, $4 }')" = \
  "$(jq -r '.energy | "\(.work) \(.dissipated)"' plain/summary.json | awk '{ printf "%.9g %.9g", $1, $2 }')"
expect 0 "$PROGRAM" plot plain
has out '^4 figures, SVG and PNG, in plain/figures: positions velocities multipliers energy$'
figures plain positions velocities multipliers energy
that "an interval, a shade" test "$(shaded plain/figures/multipliers.svg)" -eq "$(stuck plain)"
has plain/figures/positions.svg '<text>x \(m\)</text>'
has plain/figures/positions.svg '<text>t \(s\)</text>'
has plain/figures/velocities.svg '<text>v \(m/s\)</text>'
has plain/figures/energy.svg '<text>energy \(J\)</text>'
has plain/figures/energy.svg '<text>dissipated</text>'
for i in 1 2 3; do has plain/figures/positions.svg "<text>x$i</text>"; done

# a search; its figures once more; and new results take them away
expect 0 "$PROGRAM" control "$tp1" -o found --set search.scheme_size=16 --set search.penalty=P --set search.refine=none
expect 0 "$PROGRAM" plot found --quiet
that "quiet" test ! -s out
figures found positions velocities multipliers energy search
for name in positions velocities; do
  has found/figures/$name.svg '>exact<'
  has found/figures/$name.svg "stroke='rgb\\( *0, *0, *0\\)' stroke-dasharray='4.0,12.0'" # so that the colours beneath show
done
that "the motion itself is not in the others" test "$(grep -l '>exact<' found/figures/*.svg | wc -l)" -eq 2
for label in best E1 'edge (N)'; do that "search has $label" grep -qF "<text>$label</text>" found/figures/search.svg; done
cp -r found before
cp -r found ticks
expect 0 "$PROGRAM" plot found
that "the same figures again" diff -r found/figures before/figures
expect 0 "$PROGRAM" plot found --compare plain
expect 0 "$PROGRAM" report found
has found/report.html '<strong>Target met</strong> to 1e-06; the search ended by: '
has found/report.html 'The motion itself</strong>: E1 = 0.06'

# a refined answer may meet the target where the search's own does not; or there is none, with a reason
mkdir missed unrefined
cp found/*.csv missed
cp found/*.csv unrefined
jq '.outcome["E1"] = 0.1 | .outcome.refined = {motion: "event", u: .outcome.u, J: 7, E1: 0, E2: 0}' found/summary.json >missed/summary.json
jq '.outcome["E1"] = 0.1 | .outcome.refined = {motion: "event", reason: "its energy does not close"}' found/summary.json >unrefined/summary.json
expect 0 "$PROGRAM" report missed
has missed/report.html '<strong>Target met</strong> to 1e-06 by the refined answer, not by the search.s own; the search ended by: '
expect 0 "$PROGRAM" report unrefined
has unrefined/report.html '<strong>Target not met</strong> to 1e-06; .*<strong>Not refined</strong>: its energy does not close'
# a control for a statistic of scenarios converges; no target is met by all of them
expect 0 "$PROGRAM" control "$problems/scenarios.yaml" -o robust --set scenarios.count=4 --set control.signal.segments=5 \
  --set control.objective=worst_case --set search.local_starts=2 --set search.restarts=0
expect 0 "$PROGRAM" report robust
has robust/report.html '<strong>Converged</strong>; the search ended by: tolerance, .* over the scenarios: worst_case'
has robust/report.html "<th>the worst</th><td class=\"n\">$(jq '.outcome.scenarios.miss.worst.miss' robust/summary.json | cut -c-6)"
that "each key has a row" lines robust/report.html '^<tr><th>model[][a-z0-9.]*</th><td class="n">[0-9.]*</td><td class="n">[0-9.]*<' 3

# a search that was stopped: nothing of a motion is missing yet
mkdir stopped
cp found/search.csv stopped
jq '.outcome.reason = "signal"' found/summary.json >stopped/summary.json
expect 0 "$PROGRAM" report stopped
has stopped/report.html 'the search was stopped on a signal; <code>stiction resume stopped</code> goes on. J = '
that "nothing is missing" test ! -s err
expect 0 "$PROGRAM" plot stopped
figures stopped search
expect 0 "$PROGRAM" simulate "$tp1" -o found --force
that "old figures are gone" test -z "$(find found/figures -type f)"
that "the old report, too" absent found/report.html

# two runs over one another
expect 0 "$PROGRAM" simulate "$tp1" -o exact --set scheme.multiplier=unregularized
expect 0 "$PROGRAM" plot exact --compare plain
figures exact compare_{positions,velocities,multipliers,energy}
has exact/figures/compare_positions.svg '<text>plain</text>'
has exact/figures/compare_positions.svg '<text>x3 \(m\)</text>'
that "both runs' sticking" test "$(grep -cE '<polygon.*rgb\((207, 226, 241|248, 220, 200)\)' \
  exact/figures/compare_multipliers.svg)" -eq $(($(stuck plain) + $(stuck exact)))

# a y axis has at least two ticks, also where a step of 1 has but one in 0.2..1.6, and no power of ten lies within
awk -F, -v OFS=, 'NR > 1 { $2 = 0.2 + 1.4 * (NR % 2) } 1' before/energy.csv >ticks/energy.csv
awk -F, -v OFS=, 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == "E1") at = c } NR > 1 { $at = 0.3 + 0.1 * (NR % 2) } 1' \
  before/search.csv >ticks/search.csv
mkdir bin
printf '#!/bin/sh\ntee -a scripts | "%s"\n' "$(command -v gnuplot)" >bin/gnuplot
chmod +x bin/gnuplot
expect 0 env PATH="$PWD/bin:$PATH" "$PROGRAM" plot ticks --compare ./ticks
that "axes of two ticks" awk '/^set logscale y/ { logarithmic = 1 }
  /^unset logscale y/ { logarithmic = 0 }
  /^set yrange/ { gsub(/.*\[|\]/, ""); split($0, range, ":"); low = +range[1]; high = +range[2] }
  /^set ytics/ { axes[logarithmic]++; ticks = 0; split($3, by, ",")
    if (logarithmic) for (at = by[1]; at <= high * (1 + 1e-9); at *= by[2]) ticks += at >= low * (1 - 1e-9)
    else for (k = -1000; k <= 1000; k++) ticks += k * by[1] >= low && k * by[1] <= high
    if (ticks < 2) { print "ticks:", $0, low, high; bad = 1 } }
  END { exit bad || axes[0] < 20 || axes[1] < 6 }' scripts

# one degree of freedom, as friction and as a dash-pot with its support
one=(--set 'model.mass=[1]' --set 'model.stiffness=[[4]]' --set model.friction=1 --set model.x0=1)
sed '/^control/,$d' "$tp1" >one.yaml
expect 0 "$PROGRAM" simulate one.yaml -o one "${one[@]}"
expect 0 "$PROGRAM" plot one
figures one positions velocities multipliers energy
expect 2 "$PROGRAM" plot plain --compare one
has err 'plain has 3 degrees of freedom and one has 1'
expect 0 "$PROGRAM" simulate "$problems/gotika-6d-support.yaml" -o support
expect 0 "$PROGRAM" plot support
figures support positions velocities forces law energy
that "stick and contact are shaded" test "$(shaded support/figures/forces.svg)" -eq \
  $(($(stuck support) + $(grep -c ',contact$' support/events.csv)))
contacts=$(awk -F, '/contact/ { print $2, $3 }' support/events.csv)
edges=$(grep '<polygon' support/figures/forces.svg | tail -n "$(wc -l <<<"$contacts")" | sed "s/.*points = '//; s/[ ,]/ /g" |
  awk '{ print $1, $3 }')
that "a shade lies where its interval is" awk '{ k = ($4 - $3) / ($2 - $1); if (!first) first = k
  if ((k / first - 1) ^ 2 > 1e-4 || n++ && (($3 - x) / ($1 - t) / first - 1) ^ 2 > 1e-6) exit 1; x = $3; t = $1 }
  END { exit NR < 2 }' <(paste -d ' ' <(echo "$contacts") <(echo "$edges"))
has support/figures/law.svg '<text>v \(m/s\)</text>'

verdict
