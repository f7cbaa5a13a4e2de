#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program as a user meets it: help, exit codes, results, overwriting, replaying.
#   usage: tests/program/command_line.sh PROGRAM
# shellcheck disable=SC2016 # the dollars are of jq and awk
set -uo pipefail
PROGRAM=$1

# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml
small=(--set search.scheme_size=16 --set search.penalty=P)

expect 0 "$PROGRAM" --help
has out 'simulate'
has out 'control'
has out 'check'
expect 0 "$PROGRAM" --version
has out '^stiction [0-9]+\.[0-9]+\.[0-9]+ \(sources [0-9a-f]{16}\)$'
has out '^libraries  .*PETSc [0-9.]+, HDF5 [0-9.]+ \([a-z0-9-]+\), NLopt [0-9.]+,'
has out '^kernels    ref, '
for command in simulate control check; do
  expect 0 "$PROGRAM" "$command" --help
  has out "usage: stiction $command FILE"
  has out '--set KEY=VALUE'
done
for command in plot report; do
  expect 0 "$PROGRAM" "$command" --help
  has out "usage: stiction $command DIR"
done
expect 2 "$PROGRAM"
expect 2 "$PROGRAM" dance
has err "unknown command 'dance'"
expect 2 "$PROGRAM" simulate
has err 'a problem file is missing'
expect 2 "$PROGRAM" simulate "$tp1" "$tp1"
expect 2 "$PROGRAM" simulate --dance "$tp1"
has err 'unknown option --dance'
expect 2 "$PROGRAM" check -xyz "$tp1"
has err 'unknown option -xyz'
that "an option is unknown once, whatever letters it has" [ "$(wc -l <err)" -eq 1 ]
expect 2 "$PROGRAM" check "$tp1" -o somewhere
expect 2 "$PROGRAM" simulate "$tp1" -o
has err 'a value is missing'
expect 2 "$PROGRAM" control "$tp1" --batch 0
has err '--batch expects a whole number from 1 to 1024, not 0'
expect 2 "$PROGRAM" simulate "$tp1" --force=3
has err 'no value is expected in --force=3'
expect 2 "$PROGRAM" simulate "$tp1" --host somewhere
has err 'unknown option --host'

# check prints the problem as understood, and that is a problem file again
expect 0 "$PROGRAM" check "$tp1"
has out 'delta'
has out '^    "mass": \[4.0, 5.0, 6.0\],$'
has out '^    "stiffness": \[\[1.0, 0.5, .*\]\],$'
that "three variables may meet three entries" lines out '^warning' 0
sed -n '/as understood/,$p' out | tail -n +2 >again.yaml
expect 0 "$PROGRAM" check "$tp1" --set 'control.target.velocity=[0, 0, 0]'
has out '^warning +3 variables for 6 target entries'
expect 0 "$PROGRAM" check again.yaml
sed -n '/as understood/,$p' out | tail -n +2 >again2.yaml
that "the echo of the echo is the echo" cmp again.yaml again2.yaml

# simulate, by default into results/NAME here
expect 0 "$PROGRAM" simulate "$tp1" --set scheme.multiplier=unregularized
for f in trajectory.csv events.csv summary.json; do that "$f is there" test -s "results/tp1/$f"; done
has results/tp1/trajectory.csv '^t,x1,x2,x3,v1,v2,v3,lambda1,lambda2,lambda3$'
that "a row an instant" test "$(wc -l <results/tp1/trajectory.csv)" -eq 402
has results/tp1/events.csv '^dof,from,to,state$'
has results/tp1/events.csv '^1,0,[0-9.]+,slip\+$'
has results/tp1/events.csv ',5,stick$'
that "x(T) as in models.md" jq -e '.outcome.x_T as [$a, $b, $c] |
  ($a - 0.4376737 | fabs) < 1e-7 and ($b - 1.7457713 | fabs) < 1e-7 and ($c - 2.8932895 | fabs) < 1e-7' \
  results/tp1/summary.json >/dev/null
that "energy balances" jq -e '.energy | (.closure | fabs) < 1e-9 * (.work | fabs) and .dissipated > 0 and
  ((.work - .stored - .dissipated - .numerical - .closure) | fabs) < 1e-9' results/tp1/summary.json >/dev/null
that "each dof's intervals cover [0, T] without a gap" awk -F, 'NR > 1 { if ($2 + 0 != to[$1] + 0) exit 1; to[$1] = $3 }
  END { for (i = 1; i <= 3; i++) if (to[i] + 0 != 5) exit 1 }' results/tp1/events.csv

# results are not overwritten unasked
cp results/tp1/summary.json before.json
expect 2 "$PROGRAM" simulate "$tp1"
has err 'is there already'
that "nothing was touched" cmp before.json results/tp1/summary.json
expect 0 "$PROGRAM" simulate "$tp1" --force --quiet
that "quiet" test ! -s out
mkdir empty
expect 0 "$PROGRAM" simulate "$tp1" -o empty
echo mine >foreign
expect 2 "$PROGRAM" simulate "$tp1" -o foreign
expect 2 "$PROGRAM" simulate "$tp1" -o foreign/inside
that "a file in the way is left alone" grep -q mine foreign
expect 2 "$PROGRAM" simulate "$tp1" -o /proc/nowhere
expect 2 "$PROGRAM" control "$tp1" -o /proc/nowhere

# output.every thins, and keeps both ends
expect 0 "$PROGRAM" simulate "$tp1" -o thin --set output.every=150
that "every 150th and the last" test "$(cut -d, -f1 thin/trajectory.csv | tail -n +2 | tr '\n' ' ')" = '0 1.875 3.75 5 '

# many degrees of freedom: HDF5, and counts of sticking and slipping dofs
{ printf 'model:\n  kind: friction\n  mass: ['; printf '1,%.0s' $(seq 69); printf '1]\n  friction: 1\n  v0: 1\n  force: 0\n'
  printf 'time: {end: 2, steps: 100}\n'; } >wide.yaml
expect 0 "$PROGRAM" simulate wide.yaml -o wide
that "no trajectory.csv" absent wide/trajectory.csv
that "but another" test -s wide/trajectory.h5
has wide/events.csv '^step,t,stick,slip\+,slip-$'
has wide/events.csv '^0,0,0,70,0$'
has wide/events.csv '^100,2,70,0,0$'

# control, and its replay
expect 0 "$PROGRAM" control "$tp1" -o found "${small[@]}"
has out 'E1 = '
for f in search.csv trajectory.csv events.csv summary.json; do that "$f is there" test -s "found/$f"; done
has found/search.csv '^round,evaluations,best,J,E1,E2,edge,rho1,rho2,rho3,seconds$'
that "the counts add up" jq -e '.counts | .evaluations == .ivps + .cache_hits and .cache_hits > 0' found/summary.json >/dev/null
that "one row a simplex" test "$(jq .counts.rounds found/summary.json)" -eq "$(($(wc -l <found/search.csv) - 1))"
expect 0 "$PROGRAM" simulate "$tp1" -o replayed --control found:grid
that "the replay is the optimum's trajectory" cmp found/trajectory.csv replayed/trajectory.csv
expect 2 "$PROGRAM" simulate "$tp1" -o found --control found --force
has err 'is what is replayed'
that "nothing was lost" test -s found/search.csv
u=$(jq -r '.outcome.u | map(tostring) | join(",")' found/summary.json)
expect 0 "$PROGRAM" simulate "$tp1" -o typed --control="$u"
expect 2 "$PROGRAM" simulate "$tp1" -o no --control=1,2
expect 2 "$PROGRAM" simulate "$tp1" -o no --control=1,2,x
expect 2 "$PROGRAM" simulate "$tp1" -o no --control=1,2,nan
expect 2 "$PROGRAM" simulate "$tp1" -o no --control=1,2,3,4
expect 2 "$PROGRAM" simulate "$tp1" -o no --control=empty/..
expect 2 "$PROGRAM" simulate wide.yaml -o no --control start
has err '--control start: the file has no section control$'
that "nothing is left behind" absent no
expect 0 "$PROGRAM" control "$tp1" -o shown --progress "${small[@]}"
has err 'simplex [0-9]+ +best'
expect 0 "$PROGRAM" control "$tp1" -o hidden "${small[@]}"
that "no progress line on a pipe" test ! -s err

# the target missed: 3; a search that cannot be accepted, and one that is cut short
expect 3 "$PROGRAM" control "$tp1" -o short "${small[@]}" --set search.max_simplexes=3
has short/summary.json '"reason": "budget"'
expect 3 "$PROGRAM" control "$tp1" -o strict "${small[@]}" --set search.accept=1e-300 --set search.restarts=1
has strict/summary.json '"reason": "stall"'
expect 0 "$PROGRAM" control "$tp1" -o early "${small[@]}" --set search.stop_at=1e-3 --set search.accept=1e-3
has early/summary.json '"reason": "stop_at"'

# a requested kernel without lanes for the model is reported; `ref` serves all models, and a default choice prints nothing
for kernel in sse2 neon; do
  "$PROGRAM" control "$problems/dashpot-control.yaml" -o "lanes-$kernel" --batch-kernel $kernel --set search.method=pds >out 2>err || continue
  has err "^stiction control: warning: --batch-kernel $kernel has no lanes for this model and scheme: ref evaluates"
  that "ref serves" test "$(jq -r .kernel "lanes-$kernel/summary.json")" = ref
done
that "lanes have been asked for" eval '[ -e lanes-sse2 ] || [ -e lanes-neon ]'
for options in "--batch-kernel ref" ""; do
  # shellcheck disable=SC2086 # two words or none
  expect 0 "$PROGRAM" control "$problems/dashpot-control.yaml" --force -o quiet $options --set search.method=pds
  that "nothing is said ($options)" test ! -s err
done

# a solver that cannot do it: 4, said and counted
expect 4 "$PROGRAM" simulate "$tp1" -o unsolved --set scheme.solver=fixed_point --set scheme.tolerance=1e-300
has err 'did not converge'
has unsolved/summary.json '"reason": "failed"'
expect 4 "$PROGRAM" control "$tp1" -o unsolved2 "${small[@]}" --set search.scheme_size=6 --set search.max_simplexes=2 \
  --set scheme.solver=fixed_point --set scheme.tolerance=1e-300 --set 'control.start=[1e200,0,0]'
that "failures are counted" jq -e '.counts.non_finite > 0' unsolved2/summary.json >/dev/null

# a file that cannot be written in full is an error (the limit leaves room for Open MPI's own files)
full() { (trap '' XFSZ; ulimit -f 20000; "$PROGRAM" simulate "$tp1" -o full --set time.step=0.00003125); }
expect 70 full
has err 'could not be written in full'
verdict
