#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Figures and reports: text of users stays text, a report needs nothing else, and a failure leaves nothing half-done.
#   usage: tests/figures/plot_safety.sh PROGRAM
# shellcheck disable=SC2016 # dollars and backquotes are to be taken literally
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml

expect 0 "$PROGRAM" simulate "$tp1" -o plain

# text of users is text: in titles, in names of directories
titles=('"; system("touch touched"); "' "'; system('touch touched'); '" '`touch touched`' '$(touch touched)' '@touch %d {/Symbol a} a_1^2'
  '<script>alert(1)</script> & </svg>' "it''s \\" "'" 'line
 system("touch touched")' "$(printf '%0.sö' $(seq 60))")
cp -r plain hostile
rm hostile/trajectory.csv # the energy balance is enough
for title in "${titles[@]}"; do
  rm -rf hostile/figures
  jq --arg title "$title" '.problem.title = $title' hostile/summary.json >changed.json && mv changed.json hostile/summary.json
  expect 0 "$PROGRAM" plot hostile
  has err '^stiction plot: warning: hostile has no trajectory.csv \(or .h5\): not drawn: positions, velocities, multipliers$'
  figures hostile energy
  expect 0 "$PROGRAM" report hostile
  that "nothing was run for: $title" absent touched
  that "no markup from: $title" test "$(grep -ciE '<script|</svg>.*</svg>' hostile/report.html)" -eq 0
done
has hostile/report.html '<h1>öööö'
jq '.problem.title = "<b>\"x\"</b> `y`"' hostile/summary.json >changed.json && mv changed.json hostile/summary.json
expect 0 "$PROGRAM" plot hostile
has hostile/figures/energy.svg '<text>Energy balance: &lt;b>"x"&lt;/b> `y`</text>'
expect 0 "$PROGRAM" report hostile
has hostile/report.html '<h1>&lt;b&gt;&quot;x&quot;&lt;/b&gt; `y`</h1>'
for name in '|touch touched' '`touch touched`' "a'b\"c" $'caf\xe9\x01'; do
  cp -r plain "$name"
  rm "$name/trajectory.csv"
  expect 0 "$PROGRAM" plot "$name" --compare plain
  that "figures in $name" test -s "$name/figures/compare_energy.svg"
  expect 0 "$PROGRAM" report "$name"
  that "nothing was run for $name" absent touched
done

# a report is one file that asks for nothing
expect 0 "$PROGRAM" report plain
has out '^report in plain/report.html$'
has plain/report.html '<meta name="viewport" content="width=device-width, initial-scale=1">'
that "four figures" lines plain/report.html '^<figure id=' 4
that "their ends" lines plain/report.html '</svg>' 4
that "nothing from elsewhere" test -z "$(grep -oE '(src|href)=.[^#]' plain/report.html | grep -v data:)"
has plain/report.html '<th>model.friction</th><td>\[10, 10, 10\]</td>'
has plain/report.html '<th>dissipated</th><td>11\.21182'

# missing files of a run are reported, on the page too, and no heading mentions them
cp -r plain gap
rm gap/events.csv
expect 0 "$PROGRAM" plot gap
has err '^stiction plot: warning: gap has no events.csv: not drawn: stick and slip$'
that "no word of shades" test "$(grep -c 'stick shaded' gap/figures/multipliers.svg)" -eq 0
expect 0 "$PROGRAM" report gap
has err '^stiction report: warning: gap has no events.csv'
has gap/report.html 'There is no events.csv'
that "no time stuck is printed" test "$(grep -c 'stuck, s' gap/report.html)" -eq 0
that "nothing else is missing" lines err 'has no' 1
expect 0 "$PROGRAM" plot plain
that "nothing is missing" test ! -s err
has plain/figures/multipliers.svg 'stick shaded'

# a run that cannot be drawn is reported, and nothing is left behind
mkdir empty
expect 2 "$PROGRAM" plot
has err 'a results directory is missing'
expect 2 "$PROGRAM" plot nowhere
has err 'nowhere: is not a directory'
expect 2 "$PROGRAM" plot empty
has err 'empty: has no summary.json'
expect 2 "$PROGRAM" report empty
expect 2 "$PROGRAM" plot plain --compare empty
that "nothing is left behind" test -z "$(ls empty)"
mkdir -p killed/checkpoint
expect 2 "$PROGRAM" plot killed
has err 'killed: has no summary.json: its run has not ended \(if it does not go on, `stiction resume killed` first\)'
expect 0 "$PROGRAM" simulate "$problems/gotika-6d-support.yaml" -o dashpot
expect 2 "$PROGRAM" plot plain --compare dashpot
has err 'plain has model.kind friction and dashpot has dashpot: they cannot be compared'
spoil() { rm -rf spoilt && cp -r plain spoilt && rm -rf spoilt/figures spoilt/report.html; }
refuse() { # PATTERN
  expect 2 "$PROGRAM" plot spoilt
  has err "$1"
  expect 2 "$PROGRAM" report spoilt
  that "nothing is drawn" absent spoilt/figures
  that "nothing is reported" absent spoilt/report.html
}
spoil; head -c 12345 plain/trajectory.csv >spoilt/trajectory.csv
refuse 'spoilt/trajectory.csv:[0-9]+:[0-9]+: the file breaks off here'
spoil; sed -i '7s/,[^,]*$//' spoilt/energy.csv; refuse 'spoilt/energy.csv:7:[0-9]+: fewer values than columns'
spoil; sed -i '3s/^/0,/' spoilt/energy.csv; refuse 'spoilt/energy.csv:3:[0-9]+: more values than columns'
spoil; sed -i '2s/slip/slap/' spoilt/events.csv; refuse 'spoilt/events.csv:2:[0-9]+: not a value'
spoil; sed -i '1s/v3/w3/' spoilt/trajectory.csv; refuse 'spoilt/trajectory.csv:1:1: has no column v3'
# every column that a picture reads, looked up by name: of curves and maps, of dash-pots and chains, of a signal
lacks() { # DIR FILE COLUMN
  rm -rf spoilt && cp -r "$1" spoilt && rm -rf spoilt/figures spoilt/report.html
  sed -i "1s/\\<$3\\>/other/" "spoilt/$2"
  expect 2 "$PROGRAM" plot spoilt
  has err "^stiction plot: spoilt/$2:1:1: has no column $3\$"
  that "one error" test "$(wc -l <err)" -eq 1
  that "nothing is drawn" absent spoilt/figures
}
expect 0 "$PROGRAM" simulate "$problems/chain-semi-dynamical.yaml" -o chain
expect 0 "$PROGRAM" simulate "$problems/signal-2x8.yaml" -o signal
expect 0 "$PROGRAM" simulate "$problems/string-plucked.yaml" -o many --set model.nodes=20
expect 0 "$PROGRAM" simulate "$problems/string-plucked.yaml" -o counts --set model.nodes=80
expect 3 "$PROGRAM" control "$tp1" -o searched --set search.scheme_size=9 --set search.max_simplexes=3 --set search.accept=1e-300
lacks plain trajectory.csv t
lacks plain trajectory.csv x2
lacks plain trajectory.csv lambda3
lacks plain energy.csv numerical
lacks plain events.csv state
lacks dashpot trajectory.csv f_s
lacks dashpot trajectory.csv lambda_contact
lacks chain trajectory.csv reaction_right
lacks chain trajectory.csv x_end
lacks signal trajectory.csv u1
lacks many trajectory.csv v20
lacks many trajectory.csv lambda7
lacks counts events.csv stick
lacks searched search.csv best
lacks searched search.csv E2
lacks searched exact/trajectory.csv v2
for dof in 1e300 0 4 1.5 nan; do
  spoil; sed -i "2s/^[^,]*/$dof/" spoilt/events.csv; refuse "spoilt/events.csv:2:1: dof ${dof/e/e[+]}"
done
spoil; : >spoilt/energy.csv; refuse 'spoilt/energy.csv: is empty'
spoil; head -c 500 plain/summary.json >spoilt/summary.json; refuse 'spoilt/summary.json:[0-9]+:[0-9]+: '
spoil; echo '{}' >spoilt/summary.json; refuse 'has no problem.model.kind'

# gnuplot missing, failing, or cut short
spoil
mkdir bin none
expect 2 env PATH="$PWD/none" "$PROGRAM" plot spoilt
has err "gnuplot was not found \(it is in Debian's package gnuplot-nox\)"
expect 2 env PATH="$PWD/none" "$PROGRAM" report spoilt
for end in 'echo "<svg"; echo broken >&2; exit 1' 'echo "<svg"' 'kill -9 $$'; do
  printf '#!/bin/sh\n%s\n' "$end" >bin/gnuplot
  chmod +x bin/gnuplot
  expect 70 env PATH="$PWD/bin:$PATH" "$PROGRAM" plot spoilt
  has err 'gnuplot (failed|has drawn)'
  expect 70 env PATH="$PWD/bin:$PATH" "$PROGRAM" report spoilt
done
that "no figures" absent spoilt/figures
that "no report" absent spoilt/report.html
echo mine >spoilt/figures
expect 2 "$PROGRAM" plot spoilt
has err 'spoilt/figures: is not a directory'
verdict
