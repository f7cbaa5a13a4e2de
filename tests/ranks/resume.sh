#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Runs stop on a signal and go on; what cannot go on is refused, and says why; a full disk leaves the last checkpoint.
#   usage: tests/ranks/resume.sh PROGRAM      one with slow_evaluations.c: searches last seconds, asleep
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
cp "$problems/tp1.yaml" tp1.yaml
search=(--set search.scheme_size=64 --set checkpoint.seconds=0)
export STICTION_SLOWER=3
# one evaluation takes about half a second
slow=(--set scheme.name=lie --set scheme.multiplier=unregularized --set scheme.elastic_substeps=20000
  --set search.scheme_size=64)

expect 0 "$PROGRAM" control tp1.yaml -o whole "${search[@]}"
stripped whole >whole.txt

# a run that is over says so, and ends as it did
expect 0 "$PROGRAM" resume whole
has out 'ended already, with exit code 0'
expect 2 "$PROGRAM" resume .
has err 'no run to go on with'
expect 2 "$PROGRAM" resume
has err 'a results directory is missing'

# one that another program brings to its end meanwhile is not begun anew
"$PROGRAM" control tp1.yaml -o meanwhile "${search[@]}" >out 2>err &
other=$!
that "meanwhile is under way" soon 60 rows 4 meanwhile/search.csv
kill -STOP "$other"
(sleep 1 && kill -CONT "$other") &
expect 0 "$PROGRAM" resume meanwhile
has out 'ended already, with exit code 0'
wait "$other"
stripped meanwhile >end.txt
that "the same bytes" cmp whole.txt end.txt

# signals, to a rank or to mpirun, which passes on USR1 as it is
for case in 2:0:TERM 2:1:USR1 3:mpirun:USR1 3:2:INT; do
  dir=stop-${case//:/-}
  IFS=: read -r n target signal <<<"$case"
  mpi_exec "$n" "$PROGRAM" control tp1.yaml -o "$dir" "${search[@]}" >out 2>err &
  launcher=$! code=0
  that "$dir is under way" soon 60 rows 4 "$dir/search.csv"
  if [ "$target" = mpirun ]; then kill "-$signal" "$launcher"; else kill "-$signal" "$(rank_pid "$dir" "$target")"; fi
  wait "$launcher" || code=$?
  that "$signal to $target of $n: exit $code instead of 85" test "$code" -eq 85
  has err 'stopped on a signal'
  has "$dir/summary.json" '"reason": "signal"'
  expect 0 mpi_run $((4 - n)) "$PROGRAM" resume "$dir"
  stripped "$dir" >end.txt
  that "$signal to $target of $n: goes on to the same bytes" cmp whole.txt end.txt
done

# alone; a second INT ends at once; no rank is waited for beyond the grace time
"$PROGRAM" control tp1.yaml -o alone "${search[@]}" >out 2>err &
that "alone is under way" soon 60 rows 4 alone/search.csv
kill -TERM $!
code=0
wait $! || code=$?
that "alone: exit $code" test "$code" -eq 85
mpi_exec 2 "$PROGRAM" control tp1.yaml -o grace "${slow[@]}" --set checkpoint.grace=0 >out 2>err &
that "grace/search.csv is there" soon 60 test -e grace/search.csv
sleep 0.5
kill -USR1 $!
code=0
wait $! || code=$?
that "grace: exit $code" test "$code" -eq 85
has grace/summary.json '"reason": "signal"'
mpi_exec 2 "$PROGRAM" control tp1.yaml -o twice "${slow[@]}" >out 2>err &
that "twice/search.csv is there" soon 60 test -e twice/search.csv
victim=$(rank_pid twice 0)
kill -INT "$victim"
sleep 0.2
kill -INT "$victim" 2>/dev/null
code=0
wait $! || code=$?
that "a second INT ends it at once (exit $code)" test "$code" -ne 85
that "no rank is left" test -z "$(rank_pid twice 1)"

# spoilt checkpoints: the other generation serves; none does: refused, and nothing is touched
cp -r alone spoilt
truncate -s -5 spoilt/checkpoint/state.1
expect 0 "$PROGRAM" resume spoilt
has err 'warning: .*state.1: truncated'
stripped spoilt >end.txt
that "the other generation leads to the same bytes" cmp whole.txt end.txt
rm -rf spoilt
cp -r alone spoilt
for k in 0 1; do printf 'x' | dd of=spoilt/checkpoint/state.$k bs=1 seek=12 conv=notrunc status=none; done
expect 2 "$PROGRAM" resume spoilt
has err 'state.0: in a format .*state.1: in a format'
rm -rf spoilt
cp -r alone spoilt
head -3 alone/search.csv >spoilt/search.csv
expect 2 "$PROGRAM" resume spoilt
has err 'search.csv: does not hold all'
sed 's/"version": "[^"]*"/"version": "0.0.0"/' alone/checkpoint/run.json >spoilt/checkpoint/run.json
expect 2 mpi_run 2 "$PROGRAM" resume spoilt
has err 'begun by version 0.0.0'
sed 's/"sources": "[^"]*"/"sources": "0123456789abcdef"/' alone/checkpoint/run.json >spoilt/checkpoint/run.json
expect 2 "$PROGRAM" resume spoilt
has err 'sources 0123456789abcdef); this is .*, and its answer might differ'
sed 's/10/11/' alone/checkpoint/problem.yaml >spoilt/checkpoint/problem.yaml
cp alone/checkpoint/run.json spoilt/checkpoint/run.json
expect 2 "$PROGRAM" resume spoilt

# a changed problem file is refused, where it has changed; a lost one is not missed
sed -i 's/friction: 10/friction: 11/' tp1.yaml
expect 2 "$PROGRAM" resume alone
has err 'tp1.yaml:[0-9]+:[0-9]+: model.friction: .*11.* but .*10.* when the run began'
sed -i 's/friction: 11/friction: -1/' tp1.yaml
expect 2 "$PROGRAM" resume alone
has err 'model.friction'
mv tp1.yaml elsewhere.yaml
expect 0 mpi_run 2 "$PROGRAM" resume alone
stripped alone >end.txt
that "it needs no more than its directory" cmp whole.txt end.txt
cp "$problems/tp1.yaml" tp1.yaml

# a simulation: stopped, killed, resumed
long=(--set time.step=0.0000125 --set output.every=10)
expect 0 "$PROGRAM" simulate tp1.yaml -o wholesim --control=12,-7,-9.5 "${long[@]}" --set checkpoint.seconds=0.01
stripped wholesim >wholesim.txt
"$PROGRAM" simulate tp1.yaml -o sim --control=12,-7,-9.5 "${long[@]}" --set checkpoint.seconds=0.01 >out 2>err &
that "sim/checkpoint/state.0 is there" soon 60 test -e sim/checkpoint/state.0
kill -TERM $!
code=0
wait $! || code=$?
that "simulate: exit $code instead of 85" test "$code" -eq 85
has sim/summary.json '"reason": "signal"'
"$PROGRAM" resume sim >out 2>err &
sleep 0.1
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
expect 0 "$PROGRAM" resume sim
stripped sim >end.txt
that "simulate goes on to the same bytes" cmp wholesim.txt end.txt

# --- a motion of minutes a step, and an evaluation of as long: a signal ends either within it; seconds are those of all runs
cat >stiff.yaml <<'EOF'
model: {kind: friction, mass: [0.08, 0.08], damping: [[8190, -18690], [-18690, 102570]], friction: [0.02, 0.06], v0: [1, 0.6], force: "0.1*t"}
time: {end: 741, steps: 100}
scheme: {name: event}
control: {target: {position: [1, 1]}}
EOF
signalled() { timeout --preserve-status --kill-after=30 "$@"; }
expect 85 signalled 1.5 "$PROGRAM" simulate stiff.yaml -o stiff --set time.steps=1000000 --set checkpoint.seconds=0 --quiet
before=$(jq .seconds.wall stiff/summary.json)
expect 85 signalled 1.5 "$PROGRAM" resume stiff --quiet
that "its seconds are of both runs" test "$(jq ".seconds.wall > $before + 0.5" stiff/summary.json)" = true
expect 85 signalled 1.5 "$PROGRAM" simulate stiff.yaml -o step --set time.steps=1 --quiet
has err 'before the first checkpoint: nothing to go on with'
expect 85 signalled 1.5 "$PROGRAM" control stiff.yaml -o evaluation --quiet
has err 'resume evaluation. goes on'
expect 4 "$PROGRAM" control stiff.yaml -o limited --quiet --max-segments 1000
has err 'none of [1-9] evaluations could be done with --max-segments 1000'

export STICTION_SLOWER=0
# a disk that is full: said, and the last checkpoint is whole (the limit leaves room for Open MPI's own files)
full() { (ulimit -f 300; "$PROGRAM" control tp1.yaml -o full --set checkpoint.seconds=0 --quiet); }
expect 70 full
has err 'no checkpoint could be written: .*File too large; the last one is intact'
expect 0 "$PROGRAM" resume full --quiet
expect 0 "$PROGRAM" control tp1.yaml -o roomy --set checkpoint.seconds=0 --quiet
stripped full >end.txt
stripped roomy >roomy.txt
that "after a full disk it goes on to the same bytes" cmp roomy.txt end.txt
every_summary .
verdict
