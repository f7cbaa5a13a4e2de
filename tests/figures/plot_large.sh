#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Figures of chains and strings, up to many degrees of freedom: maps, shapes, counts, from CSV and HDF5.
#   usage: tests/figures/plot_large.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of awk
set -uo pipefail
PROGRAM=$1
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not installed (Debian's package gnuplot-nox)"; exit 77; }

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

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
expect 0 "$PROGRAM" plot wide --compare wide2
for dof in 1 13 26 38 51 64; do has wide/figures/compare_positions.svg "<text>x$dof \(m\)</text>"; done
expect 0 "$PROGRAM" simulate "$problems/chain-dynamical.yaml" -o wide5 "${wide[@]}" --set output.format=hdf5
expect 0 "$PROGRAM" plot wide5
rm wide/figures/compare_*
that "HDF5 is drawn as CSV is" diff -r wide/figures wide5/figures
{ printf 'model:\n  kind: friction\n  mass: ['; printf '1,%.0s' $(seq 69); printf '1]\n  friction: 1\n  v0: 1\n  force: 0\n'
  printf 'time: {end: 2, steps: 100}\n'; } >wider.yaml
expect 0 "$PROGRAM" simulate wider.yaml -o wider
expect 0 "$PROGRAM" plot wider
figures wider positions velocities multipliers states slips energy
has wider/figures/states.svg '<text>slip\+</text>'
expect 0 "$PROGRAM" report wider
has wider/report.html 'and 6 more in summary.json'
has wider/report.html '<details><summary>70 values: \[1, 1, 1, 1, \.\.\.</summary>\[(1, ){69}1\]</details>'


# strings: along s, with shapes
cat >string.yaml <<'END'
title: A plucked string
model: {kind: string, nodes: 50, length: 2, tension: 1, density: 1, friction: 0.2, x0: "0.1*sin(pi*s)"}
time: {end: 1, step: 0.01}
END
for nodes in 50 70; do
  expect 0 "$PROGRAM" simulate string.yaml -o string$nodes --set model.nodes=$nodes
  expect 0 "$PROGRAM" plot string$nodes
  slips=(slips) # one event has no sizes
  [ $nodes -gt 64 ] || slips=()
  figures string$nodes positions velocities multipliers snapshots states energy "${slips[@]}"
  has string$nodes/figures/positions.svg '<text>s \(m\)</text>'
  for time in 0 0.2 0.4 0.6 0.8 1; do has string$nodes/figures/snapshots.svg "<text>$time s</text>"; done
done
has string70/figures/slips.svg '<text>s \(m\)</text>'
expect 0 "$PROGRAM" simulate "$problems/burridge-knopoff.yaml" -o quakes --set model.nodes=70 --set time.end=30
expect 0 "$PROGRAM" plot quakes
figures quakes positions velocities multipliers states slips sizes energy
has quakes/figures/sizes.svg '<text>events of at least this size</text>'
# of 9000 events the largest are drawn, each of them: 1/k^2 m, k = 1 .. 9000
cp -r quakes catalogue
/usr/bin/python3 - <<'END'
import h5py
import numpy

with h5py.File("catalogue/events.h5", "r+") as file:
    for name, values in {"slip": 1.0 / numpy.arange(1, 9001) ** 2, "event": numpy.arange(1, 9001)}.items():
        for other in file:
            kept, old = dict(file[other].attrs), file[other]
            filled = values if other == name else numpy.resize(old[:], 9000)
            if len(old) != 9000 or other == name:
                kind = old.dtype
                del file[other]
                file.create_dataset(other, data=filled.astype(kind)).attrs.update(kept)
END
mkdir -p bin
# nothing is drawn here, but a picture that is there already is given: what would be drawn is looked at
cat >bin/gnuplot <<'END'
#!/bin/sh
tee script >>scripts
if grep -q '^set terminal svg' script; then cat clamped/figures/energy.svg; else cat clamped/figures/energy.png; fi
END
chmod +x bin/gnuplot
expect 0 env PATH="$PWD/bin:$PATH" "$PROGRAM" plot catalogue
that "the largest hundred events are drawn, and not all 9000" awk '
  index($0, "set terminal svg name " "\047sizes\047") { here = 1 }
  /^EOD/ { within = 0; here = 0 }
  within { rows++; count[$2] = $1 }
  here && /^\$curve/ { within = 1 }
  END { for (k = 1; k <= 100; k++) bad += !(k in count) || count[k] * k * k < 0.999999 || count[k] * k * k > 1.000001
        exit bad || rows > 5001 || !(9000 in count) }' scripts
rm scripts

# a single row of thousands that stands out is in the picture: on a path, in a map
expect 0 "$PROGRAM" simulate "$problems/gotika-6d-support.yaml" -o path --set time.step=3e-4
awk -F, -v OFS=, 'NR == 1 { for (c = 1; c <= NF; c++) if ($c == "f_d") at = c } NR == 3333 { $at = 777 } 1' path/trajectory.csv >row.csv
that "there are rows to be thinned" test "$(wc -l <row.csv)" -gt 5000
cp row.csv path/trajectory.csv
expect 0 env PATH="$PWD/bin:$PATH" "$PROGRAM" plot path
that "the law has its largest force" awk 'index($0, "set terminal svg name " "\047" "law" "\047") { here = 1 }
  /^set terminal png/ { here = 0 } here && $2 == 777 { found = 1 } END { exit !found }' scripts
rm scripts
printf 'model: {kind: friction, mass: [%s], stiffness: 1, friction: 0.1, x0: 1}\ntime: {end: 3, step: 0.001}\n' \
  "$(printf '1,%.0s' $(seq 13))1" >brief.yaml
expect 0 "$PROGRAM" simulate brief.yaml -o brief
awk -F, -v OFS=, 'NR == 1333 { $4 = -99 } NR == 1777 { $(1 + 14 + 5) = 55 } 1' brief/trajectory.csv >row.csv
cp row.csv brief/trajectory.csv
expect 0 env PATH="$PWD/bin:$PATH" "$PROGRAM" plot brief
for pair in positions:-99 velocities:55; do
  that "${pair%:*} have the brief ${pair#*:}" awk -v name="${pair%:*}" -v value="${pair#*:}" '
    index($0, "set terminal svg name " "\047" name "\047") { here = 1 }
    /^set terminal png/ { here = 0 } here { for (k = 2; k <= NF; k++) if ($k == value) found = 1 } END { exit !found }' scripts
done
rm scripts

# two strings: places and instants are printed
expect 0 "$PROGRAM" simulate string.yaml -o coarse --set time.step=0.02
expect 0 "$PROGRAM" plot string50 --compare coarse
for place in 0.0392 0.392 1.96; do has string50/figures/compare_positions.svg "<text>s = $place m</text>"; done
for time in 0 0.2 0.4 0.6 0.8 1; do has string50/figures/compare_snapshots.svg "<text>t = $time s</text>"; done
rm string50/figures/compare_*

# a run that was stopped: the page says so, and nothing is drawn where nothing was computed
"$PROGRAM" simulate string.yaml -o stopped --set model.nodes=70 --set time.step=1e-6 --set output.every=1000 2>stopped.err &
run=$!
until [ -e stopped/energy.csv ] || ! kill -0 $run; do sleep 0.02; done
sleep 0.5
kill -TERM $run
wait $run
that "stopped" test $? -eq 85
expect 0 "$PROGRAM" report stopped
has stopped/report.html 'The simulation was stopped on a signal; its results end at t = [0-9.e-]+ s; <code>stiction resume stopped</code>'
expect 0 env PATH="$PWD/bin:$PATH" "$PROGRAM" plot stopped
for name in positions velocities multipliers; do
  that "$name end where the run was stopped" awk -v name=$name \
    -v end="$(sed -n 's/.*results end at t = \([^ ]*\) s.*/\1/p' stopped/report.html)" '
    index($0, "set terminal svg name " "\047" name "\047") { here = 1 }
    /^EOD/ { within = 0; here = 0 }
    within > 1 { rows++; for (n = 0; n < NF - 1 && $(n + 2) != "nan"; n++);
      for (k = n + 2; k <= NF; k++) if ($k != "nan") bad = 1
      if (n == 0 || n == NF - 1 || (n - 0.51) / (NF - 1) > end || (n + 0.51) / (NF - 1) < end) bad = 1 }
    within { within++ } # the first line is of instants
    here && /^\$map/ { within = 1 }
    END { exit bad || !rows }' scripts
done

rm -r string70/figures
cp string70/events.h5 slips
for size in 900 5000; do
  head -c $size slips >string70/events.h5
  expect 2 "$PROGRAM" plot string70
  has err 'string70/events.h5: (cannot be read as HDF5|does not have the datasets of slips|is damaged)'
done
cp string70/trajectory.h5 string70/events.h5
expect 2 "$PROGRAM" plot string70
has err 'string70/events.h5: does not have the datasets of slips'
cp wider/events.h5 string50/
expect 2 "$PROGRAM" plot string50
has err 'string50/events.h5: row [0-9]+ is no slip'
cp slips string70/events.h5
head -c 5000 string70/trajectory.h5 >half && mv half string70/trajectory.h5
expect 2 "$PROGRAM" plot string70
has err 'string70/trajectory.h5: cannot be read as HDF5'
that "nothing is drawn" absent string70/figures
verdict
