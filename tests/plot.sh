#!/usr/bin/env bash
# Figures: which there are for every kind of model and size, and that they show the results.
#   usage: tests/plot.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/shell.sh"
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
expect 0 "$PROGRAM" control "$tp1" -o found --set search.scheme_size=16 --set search.penalty=P
expect 0 "$PROGRAM" plot found --quiet
that "quiet" test ! -s out
figures found positions velocities multipliers energy search
for label in best E1 'edge (N)'; do that "search has $label" grep -qF "<text>$label</text>" found/figures/search.svg; done
cp -r found/figures before
expect 0 "$PROGRAM" plot found
that "the same figures again" diff -r found/figures before
expect 0 "$PROGRAM" plot found --compare plain
expect 0 "$PROGRAM" report found
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

# chains: an end that moves has a loop; 64 nodes are maps
expect 0 "$PROGRAM" simulate "$problems/chain-quasistatic.yaml" -o clamped
expect 0 "$PROGRAM" plot clamped
figures clamped positions velocities multipliers reactions energy
expect 0 "$PROGRAM" simulate "$problems/chain-quasistatic.yaml" -o moved --set model.end=displacement \
  --set 'model.end_displacement=2.5*sin(t/2)'
expect 0 "$PROGRAM" plot moved
figures moved positions velocities multipliers reactions hysteresis energy
wide=(--set "model.springs=[$(printf '2,%.0s' $(seq 64))2]" --set model.mass=1 --set model.thresholds=0.3
  --set 'model.force=sin(t)')
expect 0 "$PROGRAM" simulate "$problems/chain-dynamical.yaml" -o wide "${wide[@]}"
expect 0 "$PROGRAM" plot wide
figures wide positions velocities multipliers states reactions energy
for name in positions velocities multipliers states; do
  that "$name is a map" lines wide/figures/$name.svg 'data:image/png;base64' 1
done
has wide/figures/states.svg '<text>stick</text>'
expect 0 "$PROGRAM" simulate "$problems/chain-dynamical.yaml" -o wide2 "${wide[@]}" --set model.thresholds=0.5
rm -r wide/figures
expect 0 "$PROGRAM" plot wide --compare wide2
for dof in 1 13 26 38 51 64; do has wide/figures/compare_positions.svg "<text>x$dof \(m\)</text>"; done
expect 0 "$PROGRAM" simulate "$problems/chain-dynamical.yaml" -o wide5 "${wide[@]}" --set output.format=hdf5
expect 0 "$PROGRAM" plot wide5
expect 0 "$PROGRAM" plot wide
rm wide/figures/compare_*
that "HDF5 is drawn as CSV is" diff -r wide/figures wide5/figures
{ printf 'model:\n  kind: friction\n  mass: ['; printf '1,%.0s' $(seq 69); printf '1]\n  friction: 1\n  v0: 1\n  force: 0\n'
  printf 'time: {end: 2, steps: 100}\n'; } >wider.yaml
expect 0 "$PROGRAM" simulate wider.yaml -o wider
expect 0 "$PROGRAM" plot wider
figures wider positions velocities multipliers states energy
has wider/figures/states.svg '<text>slip\+</text>'
expect 0 "$PROGRAM" report wider
has wider/report.html 'and 6 more in summary.json'


# strings: along s, with shapes
cat >string.yaml <<'END'
title: A plucked string
model: {kind: string, nodes: 50, length: 2, tension: 1, density: 1, friction: 0.2, x0: "0.1*sin(pi*s)"}
time: {end: 1, step: 0.01}
END
for nodes in 50 1000; do
  expect 0 "$PROGRAM" simulate string.yaml -o string$nodes --set model.nodes=$nodes
  expect 0 "$PROGRAM" plot string$nodes
  figures string$nodes positions velocities multipliers snapshots states energy
  has string$nodes/figures/positions.svg '<text>s \(m\)</text>'
  for time in 0 0.2 0.4 0.6 0.8 1; do has string$nodes/figures/snapshots.svg "<text>$time s</text>"; done
done
expect 0 "$PROGRAM" report string1000
rm -r string1000/figures
head -c 5000 string1000/trajectory.h5 >half && mv half string1000/trajectory.h5
expect 2 "$PROGRAM" plot string1000
has err 'string1000/trajectory.h5: cannot be read as HDF5'
that "nothing is drawn" absent string1000/figures
verdict
