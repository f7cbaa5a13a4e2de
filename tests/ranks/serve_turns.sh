#!/usr/bin/env bash
# Whose turn it is in a service: of two submitters, also after a restart; of searches beside more jobs in processes than may wait for one.
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

# served SPOOL OPTIONS...: a service on it, until SPOOL/stop
served() {
  mpi_exec 2 "$PROGRAM" serve "$@" >log 2>err &
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
  # given USER NAME FILE: FILE put into shares/ by that user
  given() {
    cp "$3" shares/part && chown "$1:$1" shares/part && mv shares/part "shares/incoming/$2.yaml"
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
  that "what has been used before a restart counts: they go first" test "$(happened '.*, control' | cut -d' ' -f1,2)" = "b4 b5"
fi

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
