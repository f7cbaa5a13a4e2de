#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Strings and sparse models as a user runs them: against dense matrices, on two ranks, steered, in HDF5, and refused.
#   usage: tests/program/string_files.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# a string of 50 nodes, and its matrices by hand: m = rho h, k = T/h, c and f per length times h
cat >string.yaml <<'END'
title: a string
model: {kind: string, nodes: 50, length: 1, tension: "10*(1+s/2)", density: "0.1*(1+s)", friction: "1+s",
  force: "20*sin(6*t)", x0: "0.05*sin(pi*s)", v0: "s*(1-s)"}
time: {end: 0.5, steps: 100}
END
matrices() { # FORM: dense or sparse
  awk -v form="$1" -v d=50 'BEGIN {
    h = 1 / (d + 1); pi = 4 * atan2(1, 1)
    print "%%MatrixMarket matrix coordinate real symmetric\n" d, d, 2 * d - 1 >"A.mtx"
    for (i = 1; i <= d; i++) {
      s = i * h
      left = 10 * (1 + (s - h / 2) / 2) / h; right = 10 * (1 + (s + h / 2) / 2) / h
      printf "%d %d %.17g\n", i, i, left + right >"A.mtx"
      if (i > 1) printf "%d %d %.17g\n", i, i - 1, -left >"A.mtx"
      comma = i > 1 ? "," : ""
      mass = mass comma sprintf("%.17g", 0.1 * (1 + s) * h)
      friction = friction comma sprintf("%.17g", (1 + s) * h)
      x0 = x0 comma sprintf("%.17g", 0.05 * sin(pi * s)); v0 = v0 comma sprintf("%.17g", s * (1 - s))
    }
    printf "model: {kind: friction, matrices: %s, mass: [%s], stiffness: {file: A.mtx}, friction: [%s],\n", form, mass, friction
    printf "  force: \"20*sin(6*t)/51\", x0: [%s], v0: [%s]}\ntime: {end: 0.5, steps: 100}\n", x0, v0
  }' >"$1.yaml"
}
agree() { # TOLERANCE A B LAST: two trajectories do so in columns 2..LAST
  paste -d, "$2" "$3" | awk -F, -v most="$1" -v last="$4" 'NR > 1 {
    for (i = 2; i <= last; i++) { e = $i - $(i + NF / 2); if (e < 0) e = -e; if (e > worst) worst = e } }
    END { if (!(NR > 100 && worst <= most)) { print "differ by", worst >"/dev/stderr"; exit 1 } }'
}
matrices dense
matrices sparse
for name in string dense sparse; do expect 0 "$PROGRAM" simulate $name.yaml -o $name; done
that "the string is its dense matrices" agree 1e-11 string/trajectory.csv dense/trajectory.csv 101
that "and its sparse ones" agree 1e-11 string/trajectory.csv sparse/trajectory.csv 101
that "the same dofs stick" test "$(grep -c stick string/events.csv)" -eq "$(grep -c stick dense/events.csv)"
expect 0 "$PROGRAM" simulate string.yaml -o petsc -step_ksp_type cg -step_pc_type jacobi
that "PETSc's solvers agree" agree 1e-9 string/trajectory.csv petsc/trajectory.csv 101
expect 2 "$PROGRAM" simulate dense.yaml -o no -step_ksp_type cg
has err 'options of the solvers of sparse models'
expect 0 "$PROGRAM" check string.yaml
has out '^model      string, sparse matrices, 50 degrees of freedom, 0 controls'
# springs of more masses than dense matrices are for
printf 'model: {kind: friction, mass: 1, friction: 1, x0: 1, stiffness: {springs: [%s 1]}}\ntime: {end: 1, steps: 1}\n' \
  "$(yes 1, | head -n 4097 | tr -d '\n')" >many.yaml
expect 0 "$PROGRAM" check many.yaml
has out '^model      friction, sparse matrices, 4097 degrees of freedom'

# the echo is the same problem
for name in string sparse; do
  jq .problem $name/summary.json >$name-echo.yaml
  expect 0 "$PROGRAM" simulate $name-echo.yaml -o $name-again
  that "the echo of $name is the same problem" cmp $name/trajectory.csv $name-again/trajectory.csv
done

# a chain of blocks that sticks and slips: one rank and two, by tridiagonal solves that differ in round-off alone
blocks=$root/jobs/problems/burridge-knopoff.yaml
expect 0 "$PROGRAM" simulate "$blocks" -o many --set model.nodes=100 --set time.end=14
that "several blocks slip at once" awk -F, 'NR > 1 && $4 + $5 > most { most = $4 + $5 } END { exit !(most >= 3) }' \
  many/events.csv
expect 0 "$PROGRAM" simulate "$blocks" -o blocks --set model.nodes=50 --set time.end=14 --set output.format=csv
expect 0 mpi_run 2 "$PROGRAM" simulate "$blocks" -o blocks2 --set model.nodes=50 --set time.end=14 \
  --set output.format=csv
sed 1,2d blocks/trajectory.csv >one; sed 1,2d blocks2/trajectory.csv >two
that "two ranks move them the same way" awk -F, 'NR == FNR { line[FNR] = $0; next } { n = split(line[FNR], a, ",")
  for (i = 1; i <= 101; i++) { e = a[i] - $i; if (e > 1e-9 || e < -1e-9) bad = 1 } } END { exit bad || FNR < 20 }' one two

# a trajectory larger than any disk is refused before it begins
expect 2 "$PROGRAM" simulate string.yaml -o huge --set model.nodes=100000 --set time.steps=1000000000 --set time.end=1
has err 'trajectory.h5 takes .* GB are free there \(output.every'
that "nothing is left" absent huge

# HDF5 has what CSV has
expect 0 "$PROGRAM" simulate string.yaml -o h5 --set output.format=hdf5
column() { # DATASET: its numbers, one a line
  h5dump -m %.17g -y -w 1 -d "$1" h5/trajectory.h5 | awk '/DATA \{/ { on = 1; next } on && /\}/ { exit }
    on && NF { gsub(/[ ,]/, ""); print }'
}
csv() { tail -n +2 string/trajectory.csv | cut -d, -f"$1" | tr , '\n'; } # FIELDS
that "t is the same" cmp <(column t) <(csv 1)
that "x is the same" cmp <(column x) <(csv 2-51)
that "v is the same" cmp <(column v) <(csv 52-101)
that "lambda is the same" cmp <(column lambda) <(csv 102-151)
h5dump -a /x/units h5/trajectory.h5 >units
has units '"m"'

# what a run has written can be read meanwhile, and after it was killed
"$PROGRAM" simulate string.yaml -o killed --set model.nodes=500 --set time.steps=1000000 --set output.every=10 &
ten_rows() { h5dump -d /t -s 0 -c 10 killed/trajectory.h5 >t && ! grep -q nan t; }
soon 60 ten_rows
kill -KILL $!
wait $! 2>/dev/null
that "the run was under way" test ! -e killed/summary.json
h5dump -d /x -s 9,0 -c 1,500 killed/trajectory.h5 >x
that "ten rows are there" test "$(grep -c nan t)" -eq 0
that "with their numbers" grep -q '(9,0): -*[0-9]' x
every_summary .
verdict
