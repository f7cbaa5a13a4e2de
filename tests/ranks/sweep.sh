#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Sweeps: the same bytes on any number of ranks, killed, stopped and gone on with; rows that say what control and simulate say; what is
# refused; pictures.
#   usage: tests/ranks/sweep.sh PROGRAM      one with slow_evaluations.c: searches last, asleep, where they are to be met under way
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
cp "$problems/tp1.yaml" tp1.yaml
export STICTION_SLOWER=0

same_tables() { cmp "$1/sweep.csv" "$2/sweep.csv" && cmp "$1/sweep.h5" "$2/sweep.h5"; }
# cell TABLE RUN COLUMN: of a table without commas in its cells
cell() {
  awk -F, -v run="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR > 1 && $1 == run { print $c }' "$1/sweep.csv"
}
# agrees TABLE RUN COLUMN DIR PATH: a cell is the number in a run's summary.json, to the last bit
agrees() {
  that "$1: run $2's $3 is $5 of $4" awk -v a="$(cell "$1" "$2" "$3")" -v b="$(jq -r "$5" "$4/summary.json")" \
    'BEGIN { exit !(a != "" && a + 0 == b + 0) }'
}

# every combination, the last key fastest; 10 runs on 3 ranks: 9 whole, one point by point over all
vary=(--set search.method=auto --vary "model.friction=8:12:5" --vary "search.penalty=[P, Pi]")
expect 0 "$PROGRAM" sweep tp1.yaml "${vary[@]}" -o one
has out '^10 runs: 10 met, 0 not met, 0 failed$'
has one/sweep.csv '^run,model.friction,search.penalty,outcome,reason,warnings,J,E1,E2,exact.E1,exact.E2,refined.J,'
has one/sweep.csv '^3,9,Pi,met,tolerance,0,'
that "a row a run, in order" test "$(cut -d, -f1 one/sweep.csv | tr '\n' ' ')" = "run 0 1 2 3 4 5 6 7 8 9 "
that "and its seconds" test "$(wc -l <one/times.csv)" -eq 11
that "no results of single runs" absent one/runs
that "nor rows, at its end" absent one/checkpoint/rows
for n in 2 3; do
  expect 0 mpi_run "$n" "$PROGRAM" sweep tp1.yaml "${vary[@]}" -o "ranks-$n" --quiet
  that "the same bytes on $n ranks" same_tables one "ranks-$n"
done
expect 0 "$PROGRAM" control tp1.yaml --set search.method=auto --set model.friction=11 --set search.penalty=Pi -o alone --quiet
agrees one 7 J alone .outcome.J
agrees one 7 exact.E1 alone ".outcome.exact[\"E1\"]"
agrees one 7 refined.J alone .outcome.refined.J
agrees one 7 ivps alone .counts.ivps
expect 2 "$PROGRAM" sweep tp1.yaml "${vary[@]}" -o one
has err 'is there already'
# searches by simplexes, with points spread over the ranks
simplexes=(--set search.scheme_size=32 --vary "model.friction=[9, 10, 11, 12]")
expect 0 "$PROGRAM" sweep tp1.yaml "${simplexes[@]}" -o simplexes
expect 0 mpi_run 5 "$PROGRAM" sweep tp1.yaml "${simplexes[@]}" -o simplexes-5
that "simplexes on more ranks than runs" same_tables simplexes simplexes-5

# budgets of seconds: the last run, too, has a rank of its own for that time, and waits for no other; 20 ms an evaluation, asleep
STICTION_SLOWER=20 expect 3 mpi_run 2 "$PROGRAM" sweep tp1.yaml --set search.scheme_size=8 --set search.tolerance=1e-13 --set search.stop_at=0 \
  --set search.max_seconds=1 --vary "model.friction=[10, 11, 12]" -o seconds --quiet
that "each run stops at its budget" lines seconds/sweep.csv ',not met,budget,' 3
that "with about as many simulations as the others" awk -v first="$(cell seconds 0 ivps)" -v last="$(cell seconds 2 ivps)" \
  'BEGIN { exit !(last > first / 3 && last < first * 3) }'

# zipped; a range by ratios; what a summary has besides; results that are kept
expect 0 "$PROGRAM" sweep tp1.yaml --simulate --zip --vary "time.step=0.01:0.0025:2:log" --vary "model.x0=[[1, 2, 3], [2, 2, 2]]" \
  --keep --column outcome.x_T[1] --column outcome.v_T --column outcome.nothing -o zip
that "two runs" lines zip/sweep.csv '^[0-9]' 2
has zip/sweep.csv '^1,0.0025,"\[2, 2, 2\]",done,,0,2000,'
has zip/sweep.csv ',"\[0\.0,0\.0,0\.0\]",$'
has err '^stiction sweep: warning: --column outcome.nothing: '
expect 0 "$PROGRAM" simulate tp1.yaml --set time.step=0.0025 --set "model.x0=[2, 2, 2]" -o plain
for file in trajectory energy events; do that "kept: $file.csv" cmp plain/$file.csv zip/runs/1/$file.csv; done
expect 0 mpi_run 3 "$PROGRAM" sweep tp1.yaml --simulate --verify --vary "scheme.multiplier=[regularized, unregularized]" -o verified
expect 0 "$PROGRAM" simulate tp1.yaml --verify --set scheme.multiplier=unregularized -o replayed
agrees verified 1 verify.x_T replayed .verify.x_T
agrees verified 1 dissipated replayed .energy.dissipated

# simulations under a control: a given one, of earlier results, each run's own
expect 0 "$PROGRAM" sweep tp1.yaml --simulate --control=alone --vary "scheme.multiplier=[regularized, unregularized]" --column counts.solver_sweeps -o under
has under/sweep.csv '^run,scheme.multiplier,outcome,reason,warnings,steps,amplitude,frequency,work,stored,dissipated,numerical,J,E1,E2,counts.solver_sweeps$'
expect 0 "$PROGRAM" simulate tp1.yaml --control alone --set scheme.multiplier=unregularized -o under-1
agrees under 1 E1 under-1 '.outcome["E1"]'
agrees under 1 counts.solver_sweeps under-1 .counts.solver_sweeps
expect 0 mpi_run 2 "$PROGRAM" sweep tp1.yaml --simulate --control=start --vary "control.start=[0, {from: $PWD/alone}, pi]" \
  --vary "model.friction=pi/2:4*pi:2" -o own
has own/sweep.csv '^5,pi,12\.566370614359172,done,'
expect 0 "$PROGRAM" simulate tp1.yaml --control 3.141592653589793,3.141592653589793,3.141592653589793 --set "model.friction=4*pi" -o own-5
agrees own 5 E1 own-5 '.outcome["E1"]'
expect 0 "$PROGRAM" simulate tp1.yaml --control start --set "control.start={from: own-5}" --set "model.friction=4*pi" -o own-5-start
agrees own 5 E1 own-5-start '.outcome["E1"]'

# what only some files have: scenarios, an objective of them, a proof
cp "$problems/scenarios.yaml" .
few=(--set scenarios.count=8 --set control.signal.segments=5 --set search.local_starts=2 --set search.restarts=1)
expect 0 "$PROGRAM" sweep scenarios.yaml "${few[@]}" --set control.objective=mean --vary "control.effort_at_most=[5, 6]" \
  --column outcome.scenarios.miss.quantiles.0.95 -o robust
has out '^2 runs: 2 converged, 0 not converged, 0 failed$'
that "both say so" lines robust/sweep.csv ',converged,' 2
expect 0 "$PROGRAM" control scenarios.yaml "${few[@]}" --set control.objective=mean --set control.effort_at_most=6 -o robust-6 --quiet
agrees robust 1 scenarios.mean robust-6 .outcome.scenarios.miss.mean
agrees robust 1 scenarios.worst robust-6 .outcome.scenarios.miss.worst.miss
agrees robust 1 outcome.scenarios.miss.quantiles.0.95 robust-6 '.outcome.scenarios.miss.quantiles["0.95"]'
expect 0 "$PROGRAM" sweep tp1.yaml --set search.scheme_size=64 --set search.method=auto --set search.certify.gap=1e-2 --vary "model.friction=[9, 10]" -o certified
that "each is proven" test "$(cell certified 0 certificate.proven) $(cell certified 1 certificate.proven)" = "true true"
that "10 N: from 473.6 less 1 %" awk -v a="$(cell certified 1 certificate.lower_bound)" 'BEGIN { exit !(a > 469 && a < 474.07) }'

expect 0 "$PROGRAM" sweep tp1.yaml --vary "search=[{method: auto}, {method: auto, certify: {gap: 0.01}}]" --progress -o some
has some/sweep.csv ',certificate.lower_bound,certificate.proven$'
has some/sweep.csv '^0,.*,,$' # no proof
has some/sweep.csv '^1,.*,true$'
has err '[0-2] of 2 runs +0 failed .* runs/s .* left'

# a run that fails, or does not meet its target, is a row that says so
expect 4 "$PROGRAM" sweep tp1.yaml --set search.method=auto --vary "time.step=[0.01, 0.0125]" --vary "time.end=[5, 4.99]" -o failing
has err '1 of 4 runs failed: sweep.csv has the reasons'
has failing/sweep.csv '^3,0.0125,4.99,failed,time.step: end/step = 399.2 .*,0,,'
that "the others" lines failing/sweep.csv ',met,' 3
expect 4 "$PROGRAM" resume failing
expect 3 "$PROGRAM" sweep tp1.yaml --set search.scheme_size=16 --vary "search.max_evaluations=[30, 40]" -o short
that "not met" lines short/sweep.csv ',not met,budget,' 2

# a refused sweep prints the reason in one line, and leaves no files
refused() {
  local why=$1
  shift
  expect 2 "$PROGRAM" sweep "$@" -o refused
  has err "$why"
  that "one line: $*" test "$(wc -l <err)" -eq 1
  that "nothing is written: $*" absent refused
}
refused 'nothing varies' tp1.yaml
refused 'expected KEY=\[a, b, c\]' tp1.yaml --vary model.friction
refused 'fewer than two values' tp1.yaml --vary "model.friction=[1]"
refused 'not a list' tp1.yaml --vary "model.friction=[1, 2"
refused 'KEY=from:to:count' tp1.yaml --vary model.friction=1:2
refused 'KEY=from:to:count' tp1.yaml --vary model.friction=1:2:3:lin
refused 'a count of 2 or more' tp1.yaml --vary model.friction=1:2:1
refused 'a count of 2 or more, a whole number' tp1.yaml --vary model.friction=1:2:7/2
refused 'to: unknown name' tp1.yaml --vary model.friction=1:x:3
refused 'from: .1/0. is not a finite number' tp1.yaml --vary model.friction=1/0:2:3
# every value is read before the first run, and each bad one is reported
refused '^--vary model.friction=banana: model.friction: unknown name' tp1.yaml --vary "model.friction=[1, 2, banana]"
refused '^--vary time.step=0.011: time.step: end/step = 454.545454545' tp1.yaml --vary time.step=0.01:0.02:11
refused '^--vary search.scheme_size=-4: ' tp1.yaml --vary "search.scheme_size=[-4, 16]" --vary "model.friction=[9, 10]"
refused '^--vary model.friction=-1: ' tp1.yaml --zip --vary "search.scheme_size=[8, 16]" --vary "model.friction=[9, -1]"
refused '^--vary model.x0=.1, 2.: model.x0: 2 entries \(expected 3\)' tp1.yaml --vary "model.x0=[[1, 2, 3], [1, 2]]" --vary "model.friction=[9, 10]"
expect 2 "$PROGRAM" sweep tp1.yaml --vary "model.friction=[-1, 10, -3]" -o refused
that "two mistakes, two errors" lines err '^--vary model.friction=-[13]: ' 2
expect 2 "$PROGRAM" sweep tp1.yaml --vary "model.friction=[5, 10]" --set model.friction=3 --set 'model.friction[1]=4' --set model.mass=2 -o refused
that "a key that varies is not set, too" diff err - <<'END'
stiction sweep: --set model.friction=3: --vary model.friction replaces this value (expected one of the two)
stiction sweep: --set model.friction[1]=4: --vary model.friction replaces this value (expected one of the two)
END
expect 2 "$PROGRAM" sweep tp1.yaml --set model.stiffness=1 --simulate --vary "model.mass=[[4, 5, 6], [4, 5]]" -o refused
has err '^stiction sweep: --vary model.mass=\[4, 5\]: with this value the problem cannot be read$'
that "nothing is written" absent refused
refused '--control: expected a results directory or 3 finite numbers' tp1.yaml --simulate --control=1,2 --vary "model.friction=[1, 2]"
refused '--control=U is for --simulate' tp1.yaml --control=1,2,3 --vary "model.friction=[1, 2]"
refused '--vary control.start: the problem is the same' tp1.yaml --simulate --control=1,2,3 --vary "control.start=[0, 1]"
refused '--vary control.bounds.upper: the problem is the same' tp1.yaml --simulate --control=start --vary "control.bounds.upper=[10, 11]"
refused '--vary output.every: the problem is the same' tp1.yaml --simulate --vary "output.every=[1, 2, 3]"
refused '^--vary model.friction=-7: ' tp1.yaml --vary "model.friction=[$(seq -s, 1 1998), -7, 2000]"
refused 'from and to above 0' tp1.yaml --vary model.friction=0:2:3:log
refused 'from and to are the same' tp1.yaml --vary model.friction=2:2:3
refused 'unknown key \(did you mean friction\?\)' tp1.yaml --vary "model.frction=[1, 2]"
refused 'no such entry' tp1.yaml --vary "model.mass[8]=[1, 2]"
refused 'this key is varied twice' tp1.yaml --vary "model.friction=[1, 2]" --vary "model.friction=[3, 4]"
refused '--vary title: the problem is the same for all its 24 values' tp1.yaml --vary title=1:24:24
refused '--vary search.tolerance: the problem is the same' tp1.yaml --simulate --vary "search.tolerance=[1e-3, 1e-4]"
refused '--vary scenarios.seed: the problem is the same' tp1.yaml --simulate --set 'scenarios={vary: {model.mass: {relative: 0.1}}}' --vary "scenarios.seed=[1, 2]"
refused '1001000 runs \(expected at most 1000000\)' tp1.yaml --vary model.friction=1:2:1001 --vary model.mass[1]=1:2:1000
refused '3 values of model.mass\[1\], but 2' tp1.yaml --zip --vary "model.friction=[1, 2]" --vary "model.mass[1]=[1, 2, 3]"
refused 'expected one of them' tp1.yaml --control --simulate --vary "model.friction=[1, 2]"
refused 'verify is for simulations' tp1.yaml --verify --vary "model.friction=[1, 2]"
for twice in outcome.u model.friction warnings run J; do # a table has each name once
  refused "--column .$twice.: the table has a column of this name already" tp1.yaml --vary "model.friction=[1, 2]" --column outcome.u --column "$twice"
done
refused '--column .a/b.: expected a path' tp1.yaml --vary "model.friction=[1, 2]" --column a/b
refused 'none.yaml' none.yaml --vary "model.friction=[1, 2]"

# killed at whatever instant, also in the midst of a row, and stopped on signals: it goes on to the same bytes
steady=(--set search.scheme_size=32 --set search.tolerance=1e-2 --set search.accept=1 --vary "model.friction=8:12:5"
  --vary "search.penalty=[P, Pi]")
expect 0 "$PROGRAM" sweep tp1.yaml "${steady[@]}" -o steady
export STICTION_SLOWER=12 # a second a run or more, asleep: the process to signal is looked up meanwhile
under_way() { soon 120 rows 2 "$1/checkpoint/rows"; }
"$PROGRAM" sweep tp1.yaml "${steady[@]}" -o killed >out 2>err &
that "killed is under way" under_way killed
kill -9 $!
wait $!
printf '0badbad0 9 0.1 ["met","tol' >>killed/checkpoint/rows
that "no table yet" absent killed/sweep.csv
STICTION_SLOWER=0 expect 0 mpi_run 2 "$PROGRAM" resume killed
has out '^going on after [2-9] of 10 runs$'
that "killed: the same bytes" same_tables steady killed
expect 0 "$PROGRAM" resume killed
has out 'ended already, with exit code 0'
for case in 2:0:TERM 3:1:USR1; do
  dir=stop-${case//:/-}
  IFS=: read -r n target signal <<<"$case"
  mpi_exec "$n" "$PROGRAM" sweep tp1.yaml "${steady[@]}" -o "$dir" >out 2>err &
  launcher=$! code=0
  that "$dir is under way" under_way "$dir"
  kill "-$signal" "$(rank_pid "$dir" "$target")"
  wait "$launcher" || code=$?
  that "$dir: exit $code instead of 85" test "$code" -eq 85
  has err 'stopped on a signal after [0-9]+ of 10 runs'
  has "$dir/sweep.csv" '^run,'
  STICTION_SLOWER=0 expect 0 mpi_run $((4 - n)) "$PROGRAM" resume "$dir"
  that "$dir: the same bytes" same_tables steady "$dir"
done
"$PROGRAM" sweep tp1.yaml "${steady[@]}" -o changed >out 2>err &
that "changed is under way" under_way changed
signalled TERM 85 $!
cp tp1.yaml before.yaml
sed -i 's/end: 5/end: 4/' tp1.yaml
expect 2 "$PROGRAM" resume changed
has err 'its problem file has changed'
cp before.yaml tp1.yaml
STICTION_SLOWER=0 expect 0 "$PROGRAM" resume changed
that "changed back: the same bytes" same_tables steady changed

# pictures: one key, curves; two, maps; more, none
if command -v gnuplot >/dev/null; then
  expect 0 "$PROGRAM" plot simplexes
  figures simplexes sweep
  has simplexes/figures/sweep.svg '<text>model.friction \(N\)</text>'
  has simplexes/figures/sweep.svg '<text>J \(N\^2 s\)</text>'
  that "diagnostics are not drawn where results vary" lines simplexes/figures/sweep.svg '<text>\(E[12]\|exact.E[12]\|rounds\|evaluations\|ivps\)' 0
  expect 0 "$PROGRAM" plot one
  has out '^[0-9]+ figures, SVG and PNG, in one/figures: sweep_1 '
  has one/figures/sweep_1.svg '<text>search.penalty</text>'
  expect 0 "$PROGRAM" sweep tp1.yaml --simulate --vary "model.friction=[9, 10]" --vary "model.mass[1]=[4, 5]" --vary "model.mass[2]=[4, 5]" -o three
  expect 2 "$PROGRAM" plot three
  has err '3 keys vary: model.friction, model.mass\[1\], model.mass\[2\] .*--set model.mass\[2\]=4'
  expect 0 "$PROGRAM" plot three --set 'model.mass[2]=5.0'
  has three/figures/sweep_1.svg '<text>amplitude \(m\): model.mass\[2\]=5.0</text>'
  has three/figures/sweep_1.svg '<text>amplitude \(m\)</text>'
  has three/figures/sweep_2.svg '<text>work \(J\)</text>'
  has three/figures/sweep_1.svg '<text>model.friction \(N\)</text>'
  has three/figures/sweep_1.svg '<text>model.mass\[1\] \(kg\)</text>'
  rm -r three/figures
  expect 0 "$PROGRAM" plot three --set 'model.mass[2]=5' --set 'model.mass[1]=4'
  figures three sweep
  expect 2 "$PROGRAM" plot three --set 'model.mass[2]=7'
  has err 'no run has this value \(the values are 4, 5\)'
  expect 2 "$PROGRAM" plot three --set time.step=7
  has err 'expected KEY=VALUE of a key that varies: model.friction, '
  # words are points, and ticks
  expect 0 "$PROGRAM" sweep tp1.yaml --simulate --vary "scheme.multiplier=[regularized, unregularized]" -o words
  expect 0 "$PROGRAM" plot words
  for word in regularized unregularized scheme.multiplier; do has words/figures/sweep.svg "<text>$word</text>"; done
  that "a point a word in each panel" test "$(grep -c "<use xlink:href='#gpPt6'.*rgb(  0, 114, 178)" words/figures/sweep.svg)" -ge 6
  that "no lines from word to word" lines words/figures/sweep.svg '<path stroke=.rgb(  0, 114, 178)' 0
fi
every_summary .
verdict
