#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A service that is stopped by SPOOL/stop, by a signal, or killed (SIGKILL) at random instants goes on when it is started
# again: nothing is lost, nothing is there twice, and the results are the bytes of `control`.
#   usage: tests/ranks/serve_stop.sh PROGRAM [KILLS [SEED]]      one with slow_evaluations.c: searches last seconds, asleep
set -uo pipefail
PROGRAM=$1 kills=${2:-3} RANDOM=${3:-1}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"

mkdir whole
export STICTION_SLOWER=3

# --- a service that has nothing to do, and another beside it, which waits a while before it gives up
mpi_exec 1 "$PROGRAM" serve idle >idle.out 2>idle.err &
idle=$!
that "the idle service has begun" soon 60 test -e idle/status.json
mpi_exec 1 "$PROGRAM" serve idle >second.out 2>second.err &
second=$!

# --- long problems: stop, signal, kills
long() {
  lasting "$1" >"whole/$2.yaml"
  "$PROGRAM" control "whole/$2.yaml" -o "whole/$2" --quiet 2>err || true
  stripped "whole/$2" >"whole/$2.txt"
}
for k in 0 1 2 3; do long "$k" "long$k"; done

# searching SPOOL N: N problems, or more, have begun to search
searching() { [ "$(find "$1" -path '*/running/*' -name search.csv -size +200c | wc -l)" -ge "$2" ]; }
fill() {
  mkdir -p "$1/incoming"
  for k in 0 1 2 3; do submit "$1" "whole/long$k.yaml" "long$k.yaml"; done
}
# found DIR EXPRESSION of find...: the numbers of the problems that it finds
found() { find "$@" | sed 's/.*long\([0-9]\).*/\1/' | sort | tr '\n' ' '; }
all_right() {
  that "$1: four are done" test "$(found "$1/done" -maxdepth 1 -mindepth 1)" = "0 1 2 3 "
  that "$1: nothing else is anywhere" test "$(count "$1/running")-$(count "$1/failed")-$(count "$1/incoming")" = 0-0-0
  for k in 0 1 2 3; do done_right "$1" "long$k" "long$k"; done
}

fill stopped
mpi_exec 3 "$PROGRAM" serve stopped --quiet >out 2>err &
that "stopped: the problems have begun" soon 60 searching stopped 4
touch stopped/stop
code=0
wait $! || code=$?
that "SPOOL/stop ends it (exit $code)" test "$code" -eq 0
that "it has taken the stop file away" absent stopped/stop
that "what ran is there" test "$(count stopped/running)" -gt 0
expect 0 mpi_run 4 "$PROGRAM" serve stopped --drain
all_right stopped

fill signalled
mpi_exec 3 "$PROGRAM" serve signalled --quiet >out 2>err &
that "signalled: the problems have begun" soon 60 searching signalled 4
kill -TERM "$(rank_pid signalled 0)"
code=0
wait $! || code=$?
that "TERM ends it with 85 (exit $code)" test "$code" -eq 85
that "what ran is there" test "$(count signalled/running)" -gt 0
expect 0 mpi_run 2 "$PROGRAM" serve signalled --drain
all_right signalled

mpi_exec 3 "$PROGRAM" serve signalled --quiet >out 2>err &
that "signalled: it waits for more" soon 60 grep -q '"phase": "serving"' signalled/status.json
kill -TERM "$(rank_pid signalled 1)"
code=0
wait $! || code=$?
that "so does one to a worker that has nothing to do (exit $code)" test "$code" -eq 85

# --- a full disk (files of up to 40 KiB stand for one): it ends, and what runs goes on later
fill full
expect 70 mpi_run 1 bash -c "trap '' XFSZ; ulimit -f 40; exec '$PROGRAM' serve full --drain --quiet"
that "full: nothing has failed" test "$(count full/failed)" -eq 0
expect 0 mpi_run 2 "$PROGRAM" serve full --drain --quiet
all_right full

# --- a disk with room for messages, not for checkpoints: a file that does not fit is removed, which makes room again
mkdir -p nearly/incoming
submit nearly whole/long0.yaml long0.yaml
expect 70 mpi_run 1 bash -c "trap '' XFSZ; ulimit -f 100; exec '$PROGRAM' serve nearly --drain --quiet"
that "nearly: it stays in running/" test "$(count nearly/running)-$(count nearly/failed)" = 1-0
expect 0 mpi_run 2 "$PROGRAM" serve nearly --drain --quiet
done_right nearly long0 long0

# --- workers of the service's own are killed: it lives on
fill elastic
(
  mpi_settings 4
  exec mpirun --oversubscribe --bind-to none --enable-recovery -n 1 "$PROGRAM" serve elastic --drain --quiet --elastic 3
) >out 2>err &
launcher=$!
find_worker() { worker=$(ranks_of elastic | sed -n 3p) && [ -n "$worker" ]; } # rank 0 comes first
that "there are workers" soon 60 find_worker
that "elastic: the problems have begun" soon 60 searching elastic 2
that "a worker is killed" kill -KILL "$worker"
outlast "$launcher" 200 # the others have all that is left to do
all_right elastic

# --- rounds of four problems each, in which the service is killed up to three times.
hits=0 round=0 misses=0
while [ "$hits" -lt "$kills" ]; do
  spool=killed$round
  fill "$spool"
  for _ in 1 2 3; do
    mpi_exec 3 "$PROGRAM" serve "$spool" --drain --quiet >out 2>err &
    launcher=$!
    sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
    case $((RANDOM % 3)) in
      0) victim=$launcher ;;
      1) victim=$(rank_pid "$spool" 0) ;;
      2) victim=$(rank_pid "$spool" 1) ;;
    esac
    if [ -n "$victim" ] && kill -KILL "$victim" 2>/dev/null; then hits=$((hits + 1)); else misses=$((misses + 1)); fi
    outlast "$launcher"
    that "$spool: each problem is in one place" test "$(found "$spool" -not -path '*/checkpoint/*' \
      \( -name 'long?.yaml' -o -name problem.yaml \))" = "0 1 2 3 "
  done
  expect 0 mpi_run $((RANDOM % 3 + 1)) "$PROGRAM" serve "$spool" --drain --quiet
  all_right "$spool"
  round=$((round + 1))
done
echo "$hits kills, $misses came too late, $((round * 4)) problems"

# --- the two
code=0
wait "$second" || code=$?
that "a second service is refused (exit $code)" test "$code" -eq 2
has second.err 'another stiction is at work'
touch idle/stop
code=0
wait "$idle" || code=$?
that "an idle service ends (exit $code)" test "$code" -eq 0
that "its folders are there" test "$(find idle -mindepth 1 | sort | tr '\n' ' ')" = \
  "idle/cancelled idle/done idle/failed idle/incoming idle/lock idle/running idle/status.json "

verdict
