#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Strings on several ranks: simulated by all together, steered by groups of them; all ranks end alike.
#   usage: tests/ranks/string_groups.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

cat >string.yaml <<'END'
model: {kind: string, nodes: 20, length: 1, tension: 10, density: 0.1, friction: 2, x0: "0.05*sin(pi*s)"}
time: {end: 0.6, steps: 30}
control:
  matrix: {shapes: ["exp(-50*(s-0.3)^2)", "exp(-50*(s-0.7)^2)"]}
  target: {position: {nodes: [6, 15], values: [0.01, -0.01]}, velocity: 0}
search: {method: pds, scheme_size: 6, step: 4, stop_at: 1e-3, accept: 1e-3}
END

close() { # TOLERANCE A B: two lists of numbers are
  paste "$2" "$3" | awk -v most="$1" '{ e = $1 - $2; if (e < 0) e = -e; if (e > worst) worst = e }
    END { if (!(NR > 1 && worst <= most)) { print "differ by", worst >"/dev/stderr"; exit 1 } }'
}

# few nodes: gathered; many: written together, in HDF5
for nodes in 20 100; do
  expect 0 "$PROGRAM" simulate string.yaml -o "one$nodes" --set model.nodes=$nodes
  expect 0 mpi_run 2 "$PROGRAM" simulate string.yaml -o "two$nodes" --set model.nodes=$nodes
  for ranks in one two; do jq '.outcome | .x_T[], .v_T[]' "$ranks$nodes/summary.json" >"$ranks"; done
  that "$nodes nodes: 1 and 2 ranks agree" close 1e-9 one two
  that "$nodes nodes: the same events" cmp "one$nodes/events.csv" "two$nodes/events.csv"
done
# down to one node a rank
schemes=("" "" "{name: moreau, theta: 0.7}" "{name: centered}" "{name: centered, multiplier: unregularized}")
for nodes in 2 3 4; do
  ends=(--set "model.nodes=$nodes" --set 'control.target={position: 0, velocity: 0}' --set "scheme=${schemes[nodes]}")
  expect 0 "$PROGRAM" simulate string.yaml -o small1 --force "${ends[@]}"
  jq '.outcome | .x_T[], .v_T[]' small1/summary.json >one
  counts=("$nodes")
  [ "$nodes" -lt 4 ] || counts+=(3) # not the same number on each
  for ranks in "${counts[@]}"; do
    expect 0 mpi_run "$ranks" "$PROGRAM" simulate string.yaml -o "small$ranks" --force "${ends[@]}"
    jq '.outcome | .x_T[], .v_T[]' "small$ranks/summary.json" >many
    that "$nodes nodes on $ranks ranks" close 1e-12 one many
  done
done
for set in t x v force; do that "the same $set" h5diff -d 1e-9 one100/trajectory.h5 two100/trajectory.h5 "/$set"; done
that "the same slips" h5diff -d 1e-9 one100/events.h5 two100/events.h5
h5dump -d /t two100/trajectory.h5 >t
that "every row is there" test "$(grep -c nan t)" -eq 0

# steered by single ranks, and by two together
expect 0 mpi_run 2 "$PROGRAM" control string.yaml -o single
expect 0 mpi_run 3 "$PROGRAM" control string.yaml -o group --set search.ranks_per_evaluation=2
jq '.outcome.u[]' single/summary.json >one
jq '.outcome.u[]' group/summary.json >two
that "groups find the same control" close 1e-6 one two
expect 0 mpi_run 5 "$PROGRAM" control string.yaml -o groups --set search.ranks_per_evaluation=2
for run in group groups; do cut -d, -f1-10 "$run/search.csv" >"$run.csv"; done
that "one group and two search by the same bits" cmp group.csv groups.csv
expect 0 mpi_run 4 "$PROGRAM" control string.yaml -o idle --set search.ranks_per_evaluation=2
has err '1 of 3 workers idle'
expect 2 mpi_run 2 "$PROGRAM" control string.yaml -o none --set search.ranks_per_evaluation=2
has err 'ranks_per_evaluation: 2, but there (are|is) 1 worker'
that "no directory is left" absent none

# all end alike, with one message
expect 2 mpi_run 2 "$PROGRAM" simulate string.yaml -o bad --set 'model.density=1/(s-0.8)'
that "one message" test "$(grep -c 'model.density' err)" -eq 1
expect 2 mpi_run 2 "$PROGRAM" simulate string.yaml -o bad --set 'model.density=s < 0.8 ? 1 : 0' # wrong on one rank alone
that "one message" test "$(grep -c 'model.density' err)" -eq 1
expect 2 mpi_run 2 "$PROGRAM" simulate string.yaml -o bad --set model.nodes=1
has err '1 degrees of freedom for 2 ranks'
expect 2 mpi_run 2 "$PROGRAM" simulate missing.yaml
that "one message" test "$(grep -c '^missing.yaml' err)" -eq 1
expect 2 mpi_run 2 "$PROGRAM" simulate string.yaml -o one20
that "one message" test "$(grep -c 'is there already' err)" -eq 1
that "no directory is left" absent bad
expect 4 mpi_run 2 "$PROGRAM" simulate string.yaml -o weak --set 'model.force=20*sin(6*t)' -step_ksp_max_it 1 -step_pc_type none
that "one message" test "$(grep -c 'stiction simulate: ' err)" -eq 1
expect 4 "$PROGRAM" simulate string.yaml -o lazy --set scheme.solver=fixed_point -step_pc_type jacobi # no solver at all

# options that no solver reads
for ranks in 1 2; do
  expect 2 mpi_run $ranks "$PROGRAM" simulate string.yaml -o misspelt -step_ksp_tpye cg
  that "one message" test "$(grep -c 'step_ksp_tpye: no option' err)" -eq 1
done
expect 2 mpi_run 2 "$PROGRAM" simulate string.yaml -o misspelt -step_ksp_type nonsense
expect 0 mpi_run 2 "$PROGRAM" simulate string.yaml -o blocks -step_sub_pc_type icc -step_sub_pc_factor_levels 1

# matrices that cannot be
matrix() { # NAME ENTRIES...: 4 x 4
  printf '%%%%MatrixMarket matrix coordinate real general\n4 4 %d\n' $(($# - 1)) >"$1.mtx"
  printf '%s\n' "${@:2}" >>"$1.mtx"
  echo "{model: {kind: friction, matrices: sparse, mass: 1, stiffness: {file: $1.mtx}}, time: {end: 1, steps: 10}}" >"$1.yaml"
}
matrix askew '1 1 2' '2 2 2' '3 3 2' '4 4 2' '2 3 -1' '3 2 -0.5' # between the first rank's rows and the second's
matrix oneway '1 1 2' '2 2 2' '3 3 2' '4 4 2' '4 1 -1'
matrix negative '1 1 2' '2 2 2' '3 3 -2' '4 4 2'
matrix hollow '1 1 2' '2 2 2' '3 4 1' '4 3 1' '4 4 2'
matrix unknown '1 1 2' '2 2 2' '3 3 1' '4 4 2' '3 4 1.1' '4 3 1.1'
for ranks in 1 2; do
  for name in askew oneway negative hollow; do
    expect 2 mpi_run $ranks "$PROGRAM" simulate $name.yaml -o no
    that "one message" test "$(grep -c 'not symmetric\|not positive semi-definite' err)" -eq 1
  done
  expect 0 mpi_run $ranks "$PROGRAM" simulate unknown.yaml -o "unknown$ranks"
done
expect 0 "$PROGRAM" check unknown.yaml
has out 'semi-definiteness of stiffness and damping not checked'
verdict
