#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Waiting for jobs of a service: how far each is, on the ranks and in processes of their own, how long it has left, and the exit codes.
#   usage: tests/ranks/serve_wait.sh PROGRAM      one with slow_evaluations.c
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
tp1=$problems/tp1.yaml
export STICTION_SLOWER=20

# --- how long each has left: as fast as so far, by simplexes, evaluations, runs, and the time of a motion
endless() { sed "s/^search:.*/search: {method: pds, penalty: P, accept: 1e-300, restarts: 1000, scheme_size: 9, $1}/" "$tp1"; }
expect 0 "$PROGRAM" serve live --init
for place in ranks process; do
  endless 'max_simplexes: 100000' >$place-rounds.yaml
  endless 'max_evaluations: 1000000' >$place-evaluations.yaml
done
for name in process-rounds process-evaluations; do
  mkdir live/running/$name
  cp $name.yaml live/running/$name/problem.yaml
  echo '{"attempts": 0, "seconds": 0, "place": "process"}' >live/running/$name/attempts.json
done
{ sed 's/step: 0.002/steps: 1000000/; s/every: 10/every: 1000/' "$problems/string-plucked.yaml" && echo 'checkpoint: {seconds: 0.2}'; } >motion.yaml
few=(--set search.max_simplexes=3 --set search.scheme_size=9 --set time.step=0.05 --set output.verify=no --set search.refine=none)
expect 0 "$PROGRAM" submit live ranks-rounds.yaml ranks-evaluations.yaml
expect 0 "$PROGRAM" submit live motion.yaml --command simulate
"$PROGRAM" submit live "$tp1" --name sweep --command sweep --vary model.friction=5:10:60 "${few[@]}" --wait --progress >waited 2>drawn &
waiter=$!
mpi_exec 2 "$PROGRAM" serve live --processes 4 --max-variables 20 >log 2>err &
launcher=$!
# of A = all that there is of KEY: time_left is seconds / KEY (A - KEY)
left() { # NAME KEY ALL
  "$PROGRAM" status live "$1" --json | jq -e --arg key "$2" --argjson all "$3" '.state == "running" and .[$key] > 0 and
    (.time_left - .seconds * ($all - .[$key]) / .[$key] | fabs) < 0.05 * .time_left + 0.1'
}
for place in ranks process; do
  that "$place: by simplexes" soon 20 left $place-rounds rounds 100000
  that "$place: by evaluations" soon 20 left $place-evaluations evaluations 1000000
done
that "of a sweep: by runs" soon 20 left sweep runs 60
running() { "$PROGRAM" status live motion --json | jq -e '.state == "running" and .seconds > 0 and .time_left > 0'; }
that "of a motion, from its first checkpoint on" soon 20 running
expect 0 "$PROGRAM" status live
has out '^sweep +running +sweep +[0-9]+ of 60 runs '
expect 0 "$PROGRAM" cancel live ranks-rounds ranks-evaluations process-rounds process-evaluations motion
code=0
wait $waiter || code=$?
that "a sweep's code: 3, targets were not met ($code)" test "$code" -eq 3
has drawn 'sweep: running  [0-9]+ of 60 runs  .* left'
that "on a line by itself" test "$(tr '\r' '\n' <drawn | grep -c running)" -gt 3
has waited '^sweep: done, .*[0-9]+ not met$'
that "no progress off a terminal" test -z "$(tr -d '\r' <waited | grep running)"
expect 0 "$PROGRAM" status live sweep --json
that "its runs" jq -e '.runs == 60 and .runs_in_all == 60 and .runs_not_met > 0 and .runs_failed == 0 and .rounds == null' out >/dev/null

# --- exit codes: 2, 4, 70, 85; of several the largest
sed 's/^control:/control:\n  signal: {kind: piecewise_constant, segments: 8}/' "$tp1" >wide.yaml
expect 2 "$PROGRAM" submit live wide.yaml --wait
has out '^wide: failed, wide.yaml:.*variables'
expect 4 "$PROGRAM" submit live "$tp1" --name some --command sweep --simulate --vary 'time.end=[5, 4.99]' --vary 'time.step=[0.01, 0.0125]' --wait
has out '^some: failed, .*1 of 4 runs failed'
"$PROGRAM" submit live motion.yaml --name dies --command simulate --wait >died 2>&1 &
waiter=$!
for k in 1 2; do
  that "attempt $k" soon 20 attempt live dies $k
  kill -SEGV "$victim"
done
code=0
wait $waiter || code=$?
that "70 of a process that died ($code)" test "$code" -eq 70
has died '^dies: failed, .*its process died on signal 11'
"$PROGRAM" submit live motion.yaml wide.yaml --command simulate --wait >both 2>&1 &
waiter=$!
motion_runs() { [ -e live/running/motion-2 ] && "$PROGRAM" cancel live motion-2; }
that "the long one is cancelled" soon 20 motion_runs
code=0
wait $waiter || code=$?
that "85, the largest of two ($code)" test "$code" -eq 85
has both '^motion-2: cancelled'
touch live/stop
wait $launcher || fail "the service: exit $?"
verdict
