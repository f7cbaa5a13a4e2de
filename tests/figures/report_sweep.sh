#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The figures of a sweep show results rather than diagnostics, with labels that fit beside their panels. The report of a sweep has the
# outcomes, these figures, the table with its first 200 rows, and the command, which makes the same sweep again.
#   usage: tests/figures/report_sweep.sh PROGRAM
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# texts FILE PATTERN N: so many texts of pictures are this
texts() { test "$(grep -cE "<text>$2( \([^<]*\))?</text>" "$1")" -eq "$3"; }
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 { print $c }' "$1/sweep.csv"; }

cat >push.yaml <<'END'
title: A "block" & <friction>
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.01}
scheme: {name: moreau}
control: {target: {position: [1], velocity: [0]}, signal: {kind: piecewise_constant, segments: 4}}
END

# A search: J and the refined J in one panel, no diagnostics but those that --column names. A long path loses its first parts.
expect 0 "$PROGRAM" sweep push.yaml --vary "model.friction=[0.5, 1, 2]" --column 'outcome.u[1][1]' --column counts.evaluations \
  --column 'outcome.refined.optimality.multipliers[1]' -o found --quiet
expect 0 "$PROGRAM" plot found
figures found sweep
that "J has a panel and its name in the key" texts found/figures/sweep.svg J 2
that "the refined J is in the same panel" texts found/figures/sweep.svg refined.J 1
that "a column that was asked for is drawn" texts found/figures/sweep.svg 'outcome.u\[1\]\[1\]' 1
that "no diagnostics" texts found/figures/sweep.svg '(exact.|refined.)?(E[12]|rounds|evaluations|ivps|.*hessian_min)' 0
sed -n '/rotate(-90/{n;s/.*<text>\(.*\)<\/text>/\1/p}' found/figures/sweep.svg >labels
that "four panels have labels" test "$(wc -l <labels)" -eq 4
that "labels fit beside their panels" awk 'length > 16 { exit 1 }' labels
has labels '^[.][.]multipliers\[1'

# Where no result varies, the diagnostics are drawn.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) keep[i] = $i !~ /J$|outcome[.]|counts[.]/ }
  { line = ""; for (i = 1; i <= NF; i++) if (keep[i]) line = line (line == "" ? "" : OFS) $i; print line }' found/sweep.csv >rest.csv
mkdir rest && mv rest.csv rest/sweep.csv
expect 0 "$PROGRAM" plot rest
has rest/figures/sweep.svg '<text>exact.E1</text>|<text>evaluations</text>'

# The report: it is markup nowhere, and its command makes the same table.
expect 0 "$PROGRAM" report found
has out '^report in found/report.html$'
has found/report.html '<h1>A &quot;block&quot; &amp; &lt;friction&gt;</h1>'
has found/report.html "<strong>3 runs</strong>: $(column found outcome | sort | uniq -c | awk '{ print $1, $2 }' | paste -sd, | sed 's/,/, /')[.]<"
has found/report.html '<tr><th>model.friction</th><td>N</td><td>\[0.5, 1, 2\]</td></tr>'
has found/report.html '<figure id="sweep">'
has found/report.html "<td class=\"n\">$(column found J | head -1 | xargs printf %.6g)</td>"
that "a row for each run" lines found/report.html '^<tr><td class="n">[0-9]' 3
that "no row without its end" lines found/report.html '</html>' 1
sed -n 's/^<p><code>stiction \(sweep .*\)<\/code><\/p>$/\1/p' found/report.html | sed "s/&#39;/'/g" >words
eval "expect 0 \"\$PROGRAM\" $(cat words) -o again --quiet"
that "the command of the page makes the same table" cmp found/sweep.csv again/sweep.csv

# More rows than the page has, and words; more keys than a figure has; only the table is left.
expect 0 "$PROGRAM" sweep push.yaml --simulate --set model.v0=1 --vary "model.friction=0.5:2:101" --vary "scheme.theta=[0.5, 1]" -o many --quiet
expect 0 "$PROGRAM" report many --quiet
has many/report.html '<strong>202 runs</strong>: 202 done[.]'
has many/report.html '<figure id="sweep_1"><figcaption><h3>[^S<]+</h3>' # its quantity
has many/report.html "<image style='image-rendering:pixelated' "
has many/report.html 'The first 200 of 202 rows; sweep.csv has all'
that "200 rows" lines many/report.html '^<tr><td class="n">[0-9]' 200
expect 0 "$PROGRAM" sweep push.yaml --simulate --vary "model.friction=[1, 2]" --vary "model.mass=[1, 2]" --vary "model.x0[1]=[0, 1]" -o three --quiet
expect 0 "$PROGRAM" report three
has three/report.html 'stiction plot three --set KEY=VALUE</code>'
that "three keys have no figure" lines three/report.html '<figure' 0
rm -r three/checkpoint
expect 0 "$PROGRAM" report three
that "without a record there is no command" lines three/report.html 'stiction sweep' 0
sed -i '2s/,.*//' three/sweep.csv
expect 2 "$PROGRAM" report three
has err 'three/sweep.csv:2'
verdict
