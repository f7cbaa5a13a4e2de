#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Which job is next in a service: of two submitters, also after a restart, and beside evaluations without end; of priorities; of searches beside more
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
if [ "$(id -u)" -eq 0 ]; then # only root can give files away
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
  that "status.json records what they have used" test "$used" = true
  for k in 4 5; do given $BOB b$k whole/1.yaml; done
  served shares --at-once 1 --turn 60
  that "they are done" soon 60 all_done shares b 5
  stopped shares
  # beside them one of the others at a time: a submitter without a job on the ranks finds a place there
  that "what has been used before a restart counts: they go first" grep -qE '^b4 (a[0-9]+ )?b5 ' <(happened '.*, control')

  # --- five jobs of hours an evaluation, or of a system so large that few segments take long: another's jobs of a second or two have their share
  # of two workers, each is done in under 10 s, and nothing has failed for that
  cat >stiff.yaml <<'EOF'
model: {kind: friction, mass: [0.08, 0.08], damping: [[819, -1869], [-1869, 10257]], friction: [0.02, 0.06], v0: [1, 0.6], force: "0.1*t"}
time: {end: 741, steps: 100}
scheme: {name: event}
control: {target: {position: [1, 1]}}
EOF
  list() { printf "[%s$1]" "$(printf "$1, %.0s" $(seq 59))"; } # 60 times the same
  cat >large.yaml <<EOF
model: {kind: friction, mass: $(list 1), viscous: 900, stiffness: {links: 10}, friction: $(list 0.05), force: "0.1*sin(t)"}
time: {end: 800, steps: 100}
scheme: {name: event}
control: {target: {position: [1$(printf ', null%.0s' $(seq 59))]}, matrix: [[1]$(printf ', [0]%.0s' $(seq 59))]}
EOF
  expect 0 "$PROGRAM" check large.yaml
  has out '^work .* 7\.[0-9]e\+04 segments, 19 s a motion, .* 7\.[0-9]e\+06\)$'
  spool=stall ranks=3
  busy() { [ "$(jq .busy stall/status.json)" -eq "$1" ]; }
  # takes_turns LETTER NUMBER..: while the five jobs called so hold both workers, each of the other's, of these numbers, is done in time
  takes_turns() {
    local name=$1 k
    shift
    that "$name: they have both workers" soon 30 busy 2
    for k; do
      given $BOB "b$k" whole/1.yaml
      that "$name: b$k is done in 10 s" soon 10 test -e "stall/done/b$k/summary.json"
      done_right stall "b$k" 1
    done
    that "$name: none has ended" test "$(count stall/failed)-$(find stall/running -name "$name?" | wc -l)" = 0-5
  }
  expect 0 "$PROGRAM" serve stall --init
  for k in 1 2 3 4 5; do given $ALICE "h$k" stiff.yaml; done
  served stall --max-segments 1e15
  takes_turns h 1 2
  # a cancelled job frees its worker in a second; status.json is written each second
  for k in 1 2 3 4 5; do touch stall/part && chown "$ALICE:$ALICE" stall/part && mv stall/part "stall/incoming/h$k.cancel"; done
  that "they are cancelled" soon 10 test -d stall/cancelled/h1 -a -d stall/cancelled/h2 -a -d stall/cancelled/h3 -a -d stall/cancelled/h4 -a -d stall/cancelled/h5
  that "their workers are free" soon 3 busy 0
  for k in 1 2 3 4 5; do
    that "h$k: nothing has failed" test "$(jq '[.counts.non_finite, .counts.too_long, .counts.timed_out] | add' stall/cancelled/h$k/summary.json)" = 0
  done
  # points that are late of both workers have failed: no job waits for them, and the workers are free for others
  { cat stiff.yaml; echo 'search: {evaluation_timeout: 0.5}'; } >late.yaml
  given $ALICE h6 late.yaml
  that "it runs" soon 30 test -d stall/running/h6
  sleep 1.5
  given $BOB b6 whole/1.yaml
  that "b6 is done in 10 s" soon 10 test -e stall/done/b6/summary.json
  stopped stall
  that "rank 0 was never held up for long ($(jq .held_up stall/status.json) s)" test "$(jq '.held_up < 2' stall/status.json)" = true
  that "no rank had to be aborted" test -z "$(grep -i abort err)"
  # as a service has it by default
  rm -r stall
  expect 0 "$PROGRAM" serve stall --init
  for k in 1 2 3 4 5; do given $ALICE "l$k" large.yaml; done
  served stall
  takes_turns l 1
  stopped stall
  # a limit so low that all of them end soon
  for k in 1 2 3; do given $ALICE "h$k" stiff.yaml; done
  served stall --max-segments 5000
  all_fail() { local k; for k in h1 h2 h3 l1 l2 l3 l4 l5; do [ -d stall/failed/$k ] || return 1; done; }
  that "all of them end" soon 120 all_fail
  for k in h1 l1; do
    has stall/failed/$k/error.txt 'none of [1-9] evaluations could be done with --max-segments 5000 \(what is stiff .*moreau'
    that "$k: so does its summary say" jq -e '.counts | .too_long > 0 and .too_long == .ivps' stall/failed/$k/summary.json >out
  done
  # a job's folder is moved first, and then its line is written
  logged() { [ "$(grep -c '[hl][1-5]: failed: .*could be done with --max-segments 5000' log)" -eq 8 ]; }
  that "the log says so, too" soon 10 logged
  stopped stall
  ranks=2
fi

# --- one process, held for long: a higher priority has it at once, and what follows on a search waits for no other job
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
export STICTION_SLOWER=1
served held --processes 1 --turn 10000
submit held holder.yaml holder.yaml
that "it holds the process" soon 60 test -e held/running/holder/search.csv
submit held refined.yaml refined.yaml
that "what follows on a search waits for no other job" soon 120 test -e held/done/refined/summary.json
expect 0 "$PROGRAM" submit held "$problems/thrown.yaml" --command simulate --name first --priority 100
that "a higher priority has the process" soon 60 test -e held/done/first/summary.json
that "from the holder, which pauses" test "$(happened pauses.* | grep -cw holder)" -ge 1
# seconds are those of all parts
seconds=$(tail -n 1 held/done/refined/search.csv | sed 's/.*,//')
that "its seconds are at least its search's" test "$(jq ".seconds.wall >= $seconds and .seconds.ivps > 0" held/done/refined/summary.json)" = true
that "and what rank 0 does is not less than nothing" test "$(jq '.seconds.coordinating > -1e-9 and .seconds.waiting <= .seconds.wall' held/done/refined/summary.json)" = true
stopped held
export STICTION_SLOWER=3

# --- more jobs that need a process than may wait for one: they take no place from a search, nor does one pause for them
expect 0 "$PROGRAM" serve queue --init
job='{"format": 1, "command": "sweep", "settings": ["time.steps=100000"], "options": ["--vary", "model.friction=1:12:9999"]}'
problem=$(<"$problems/shiau-6.3.yaml")
mkdir queue/incoming/s{101..180}
for k in {101..180}; do
  echo "# stiction: sweep"$'\n'"$problem" >"queue/incoming/s$k/problem.yaml"
  echo "$job" >"queue/incoming/s$k/job.json"
done
served queue --processes 1 --at-once 1 --turn 0.3
that "one runs, 64 wait for a process" soon 30 test -e queue/running/s165
submit queue whole/1.yaml p.yaml
that "a search behind all of them is done" soon 60 test -e queue/done/p/summary.json
done_right queue p 1
that "it has not paused" test "$(happened pauses | grep -cw p)" -eq 0
stopped queue

verdict
