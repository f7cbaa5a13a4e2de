#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Simulations of strings and those with trajectory.h5 stop on a signal or are killed, on one rank or several, and go on: on as
# many with the same results, on others with the same but for round-off.
#   usage: tests/ranks/resume_string.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

cat >long.yaml <<'END'
model: {kind: string, nodes: 400, length: 1, tension: "10*(1+s/2)", density: "0.1*(1+s)", friction: "1+s",
  force: "20*sin(6*t)*(1+s)", x0: "0.05*sin(pi*s)", v0: "s*(1-s)"}
time: {end: 1, steps: 2000}
output: {every: 7}
checkpoint: {seconds: 0.02}
END
sed 's/end: 1, steps: 2000/end: 0.5, steps: 1000/' long.yaml >shared.yaml # by several ranks, which wait for each other at every step
sed 's/nodes: 400/nodes: 40/' long.yaml >short.yaml # trajectory.csv, intervals in events.csv; as many steps as long, for time to stop it
cp "$problems/tp1.yaml" dense.yaml
dense=(--set output.format=hdf5 --set time.step=0.0001 --set checkpoint.seconds=0.02)

# same WHOLE OTHER
same() {
  cmp <(stripped "$1") <(stripped "$2") && { [ ! -e "$1/trajectory.h5" ] || h5diff "$1/trajectory.h5" "$2/trajectory.h5"; } &&
    { [ ! -e "$1/events.h5" ] || cmp "$1/events.h5" "$2/events.h5"; } && [ ! -e "$2/events.part" ]
}
# begin RANKS DIR FILE OPTION...: until there is a checkpoint; launcher: its pid
begin() {
  local n=$1 dir=$2 file=$3
  shift 3
  if [ "$n" = 1 ]; then
    "$PROGRAM" simulate "$file" -o "$dir" --quiet "$@" >out 2>err </dev/null &
  else
    mpi_exec "$n" "$PROGRAM" simulate "$file" -o "$dir" --quiet "$@" >out 2>err </dev/null &
  fi
  launcher=$!
  for _ in $(seq 400); do # the run takes a few tenths of a second
    [ -e "$dir/checkpoint/state.0" ] && break
    sleep 0.02
  done
}
# go_on RANKS DIR
go_on() { if [ "$1" = 1 ]; then expect 0 "$PROGRAM" resume "$2"; else expect 0 mpi_run "$1" "$PROGRAM" resume "$2"; fi; }

for run in long:1 shared:1 shared:2 short:2; do
  IFS=: read -r name n <<<"$run"
  expect 0 mpi_run "$n" "$PROGRAM" simulate "$name.yaml" -o "whole-$name-$n" --quiet
done
expect 0 "$PROGRAM" simulate long.yaml -o whole-centered-1 --set scheme.name=centered --quiet
expect 0 "$PROGRAM" simulate dense.yaml -o whole-dense-1 "${dense[@]}" --quiet

# name, ranks, signal, ranks that go on
for case in long:1:TERM:1 centered:1:KILL:1 dense:1:TERM:1 shared:2:KILL:2 short:2:USR1:2; do
  IFS=: read -r name n signal later <<<"$case"
  dir=${case//:/-}
  case $name in
    centered) begin "$n" "$dir" long.yaml --set scheme.name=centered ;;
    dense) begin "$n" "$dir" dense.yaml "${dense[@]}" ;;
    *) begin "$n" "$dir" "$name.yaml" ;;
  esac
  victim=$launcher # mpirun passes USR1 on; killed, it would leave the ranks to run on for a while
  [ "$signal$n" != KILL2 ] || victim=$(rank_pid "$dir" 1)
  kill "-$signal" "$victim"
  code=0
  wait "$launcher" || code=$?
  if [ "$signal" != KILL ]; then
    that "$case: exit $code instead of 85" test "$code" -eq 85
    has "$dir/summary.json" '"reason": "signal"'
  fi
  go_on "$later" "$dir"
  has out 'going on from t'
  that "$case: goes on to the same results" same "whole-$name-$n" "$dir"
done

# on other ranks
begin 2 others shared.yaml
kill -USR1 "$launcher"
wait "$launcher"
go_on 3 others
that "on other ranks it is the same motion" h5diff -d 1e-7 whole-shared-1/trajectory.h5 others/trajectory.h5 x
that "and the same slips" h5diff -d 1e-7 whole-shared-1/events.h5 others/events.h5
that "and the whole of it" test "$(wc -l <others/energy.csv)" -eq "$(wc -l <whole-shared-1/energy.csv)"

# without its rows it is refused
begin 1 cut long.yaml
kill -TERM "$launcher"
wait "$launcher"
expect 0 "$PROGRAM" simulate long.yaml -o other --set time.steps=1 --quiet
cp other/trajectory.h5 cut/trajectory.h5
expect 2 "$PROGRAM" resume cut
has err 'trajectory.h5: does not hold all'
# nor are slips followed through a link, or cut short
begin 1 linked long.yaml
kill -TERM "$launcher"
wait "$launcher"
mv linked/events.part slips
: >linked/events.part
expect 2 "$PROGRAM" resume linked
has err 'linked/events.part: does not hold all'
ln -sf ../slips linked/events.part
expect 2 "$PROGRAM" resume linked
has err 'linked/events.part: is a link'
verdict
