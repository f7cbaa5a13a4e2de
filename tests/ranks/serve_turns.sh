#!/usr/bin/env bash
# Whose turn it is in a service: of two submitters, also after a restart, and beside evaluations without end; of priorities; of searches beside more
# jobs in processes than may wait for one.
#   usage: tests/ranks/serve_turns.sh PROGRAM      one with slow_evaluations.c
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
export STICTION_SLOWER=3
mkdir whole
whole 1

# served SPOOL OPTIONS...: a service on it, on $ranks ranks (2), until SPOOL/stop
served() {
  mpi_exec "${ranks:-2}" "$PROGRAM" serve "$@" >log 2>err &
  launcher=$!
}
stopped() {
  touch "$1/stop"
  that "$1: stopped in order" wait $launcher
}
# happened WORDS: the jobs to which that has happened, in this order
happened() { sed -n "s/^[^ ]* \([^:]*\): \($1\).*/\1/p" log | tr '\n' ' '; }
all_done() { [ "$(find "$1/done" -name "$2?" | wc -l)" -eq "$3" ]; }

# --- twenty long jobs of one submitter, then three short ones of another, for two places
if [ "$(id -u)" -eq 0 ]; then # nobody else can give files away
  ALICE=65001 BOB=65002
  spool=shares
  # given USER NAME FILE: FILE put into $spool by that user
  given() {
    cp "$3" $spool/part && chown "$1:$1" $spool/part && mv $spool/part "$spool/incoming/$2.yaml"
  }
  expect 0 "$PROGRAM" serve shares --init
  sed 's/max_simplexes: .*}/max_simplexes: 5000}/; s/scheme_size: [0-9]*/scheme_size: 64/' whole/1.yaml >long.yaml
  for k in $(seq 20); do given $ALICE "a$k" long.yaml; done
  served shares --at-once 2 --turn 0.3
  that "the long ones have both places" soon 30 test -e shares/running/a1/search.csv -a -e shares/running/a2/search.csv
  for k in 1 2 3; do given $BOB b$k whole/1.yaml; done
  that "the short ones are done" soon 60 all_done shares b 3
  for k in 1 2 3; do done_right shares b$k 1; done
  that "before any of the long ones" test "$(count shares/done)-$(happened failed)" = 3-
  stopped shares
  used=$(jq "(.used[\"$ALICE\"] > .used[\"$BOB\"]) and .used[\"$BOB\"] > 0" shares/status.json)
  that "status.json tells what they have used" test "$used" = true
  for k in 4 5; do given $BOB b$k whole/1.yaml; done
  served shares --at-once 1 --turn 60
  that "they are done" soon 60 all_done shares b 5
  stopped shares
  that "what has been used before a restart counts: they go first" test "$(happened '.*, control' | cut -d' ' -f1)" = b4

  # --- five jobs of hours an evaluation, until the limit ends them: another's short ones have their share of two workers
  cat >stiff.yaml <<'EOF'
model: {kind: friction, mass: [0.08, 0.08], damping: [[819, -1869], [-1869, 10257]], friction: [0.02, 0.06], v0: [1, 0.6], force: "0.1*t"}
time: {end: 741, steps: 100}
scheme: {name: event}
control: {target: {position: [1, 1]}}
EOF
  spool=stall ranks=3
  expect 0 "$PROGRAM" serve stall --init
  for k in 1 2 3 4 5; do given $ALICE "h$k" stiff.yaml; done
  served stall --max-segments 10000
  that "the stiff ones have begun" soon 30 test -d stall/running/h5
  for k in 6 7; do
    given $BOB b$k whole/1.yaml
    that "b$k is done" soon 60 test -e stall/done/b$k/summary.json
  done
  that "the stiff ones end, too" soon 120 test -d stall/failed/h1 -a -d stall/failed/h2 -a -d stall/failed/h3 -a -d stall/failed/h4 -a -d stall/failed/h5
  has stall/failed/h1/error.txt 'an evaluation takes more than 10000 segments by .event..*moreau.*--max-segments'
  that "and is what the log tells first" test "$(grep -c 'h[1-5]: failed: .*more than 10000 segments' log)" -eq 5
  stopped stall
  # no limit: who cancels frees the workers, and stopping ends what they do
  echo 'search: {evaluation_timeout: 0.5}' >>stiff.yaml # rank 0 does nothing for workers that are late
  served stall --max-segments 1e15
  for k in 6 7 8; do given $ALICE "h$k" stiff.yaml; done
  that "they run" soon 30 test -d stall/running/h8
  sleep 1
  for k in 6 7; do given $ALICE "h$k.cancel" /dev/null && mv "stall/incoming/h$k.cancel.yaml" "stall/incoming/h$k.cancel"; done
  that "they are cancelled" soon 30 test -d stall/cancelled/h6 -a -d stall/cancelled/h7
  sleep 1.5 # by now a point of h8 has been late of both workers: it has failed, and they are free
  given $BOB b8 whole/1.yaml
  that "the workers are free" soon 60 test -e stall/done/b8/summary.json
  stopped stall
  that "rank 0 was never held up for long ($(jq .held_up stall/status.json) s)" test "$(jq '.held_up < 2' stall/status.json)" = true
  that "nobody had to be aborted" test -z "$(grep -i abort err)"
  ranks=2
fi

# --- one process, held for long: a higher priority has it at once, and what follows on a search waits for nobody
cat >holder.yaml <<'EOF'
model: {kind: friction, mass: [4, 2, 1], friction: [2, 1, 0.5], viscous: 1, stiffness: {links: 5}}
time: {end: 1.5, step: 0.005}
control:
  target: {position: [1, 0.5, 0.2], velocity: 0}
  signal: {kind: piecewise_constant, segments: 8}
search: {method: nlopt:auglag, max_seconds: 600}
EOF
cat >refined.yaml <<'EOF'
model: {kind: friction, mass: [3, 2], stiffness: {links: 50}, friction: [4, 2], viscous: 1}
time: {end: 2, step: 0.01}
control:
  target: {position: [0.5, 0.5], velocity: [0, 0]}
  signal: {kind: piecewise_linear, segments: 20}
  matrix: [[1],[0]]
EOF
expect 0 "$PROGRAM" serve held --init
export STICTION_SLOWER=0
served held --processes 1 --turn 10000
submit held holder.yaml holder.yaml
that "it holds the process" soon 60 test -e held/running/holder/search.csv
submit held refined.yaml refined.yaml
that "what follows on a search waits for nobody" soon 120 test -e held/done/refined/summary.json
expect 0 "$PROGRAM" submit held "$problems/thrown.yaml" --command simulate --name first --priority 100
that "a higher priority has the process" soon 60 test -e held/done/first/summary.json
that "from the holder, which pauses" test "$(happened pauses.* | grep -cw holder)" -ge 1
# seconds are those of all parts
seconds=$(tail -n 1 held/done/refined/search.csv | sed 's/.*,//')
that "its seconds are at least its search's" test "$(jq ".seconds.wall >= $seconds and .seconds.ivps > 0" held/done/refined/summary.json)" = true
that "and what rank 0 does is not less than nothing" test "$(jq '.seconds.coordinating > -0.01 and .seconds.waiting <= .seconds.wall' held/done/refined/summary.json)" = true
stopped held
export STICTION_SLOWER=3

# --- more jobs that need a process than may wait for one: they take no place from a search, nor does one pause for them
expect 0 "$PROGRAM" serve queue --init
{ echo '# stiction: sweep'; cat "$problems/shiau-6.3.yaml"; } >sweep.yaml
cat >job.json <<'EOF'
{"format": 1, "command": "sweep", "settings": ["time.steps=100000"], "options": ["--vary", "model.friction=1:12:9999"]}
EOF
for k in $(seq 101 180); do
  mkdir queue/part
  cp sweep.yaml queue/part/problem.yaml
  cp job.json queue/part/
  mv queue/part "queue/incoming/s$k"
done
served queue --processes 1 --at-once 1 --turn 0.3
that "one runs, 64 wait for a process" soon 30 test -e queue/running/s165
submit queue whole/1.yaml p.yaml
that "a search behind all of them is done" soon 60 test -e queue/done/p/summary.json
done_right queue p 1
that "it has not paused" test "$(happened pauses | grep -cw p)" -eq 0
stopped queue

verdict
