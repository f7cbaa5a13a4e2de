#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Jobs by commands: submitted whole or not at all, listed, waited for, cancelled, fetched.
#   usage: tests/program/submit.sh PROGRAM SLOW      SLOW: with evaluations that take longer
set -uo pipefail
PROGRAM=$1 slow=$2
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
small=(--set search.scheme_size=9 --set time.step=0.05 --set output.verify=no --set search.refine=none)
tp1=$problems/tp1.yaml

# --- a spool that is none
expect 2 "$PROGRAM" submit nowhere "$tp1"
has err '^stiction submit: nowhere: No such file'
mkdir other
for command in "submit other $tp1" "status other" "cancel other a" "fetch other a"; do
  # shellcheck disable=SC2086 # words
  expect 2 "$PROGRAM" $command
  has err 'is no folder of a service, incoming/ is missing \(stiction serve other --init makes one\)$'
done
for command in submit status cancel fetch; do expect 2 "$PROGRAM" $command; has err 'a folder is missing'; done
mkdir -p spool/incoming
expect 2 "$PROGRAM" submit spool
has err 'a problem file is missing'
for command in cancel fetch; do expect 2 "$PROGRAM" $command spool; has err 'the name of a job is missing'; done
expect 2 "$PROGRAM" fetch spool a b
has err 'one argument too many: b'
expect 2 "$PROGRAM" status spool a b
expect 0 "$PROGRAM" status spool
has out '^no service has worked here yet; 0 waiting, 0 running, 0 done, 0 failed, 0 cancelled$'

# --- each mistake is reported once, with its place, and no job is submitted
sed 's/mass:/mas:/' "$tp1" >bad.yaml
sed '/^control:/,$d' "$tp1" >free.yaml
printf '# stiction: plot\n' >plot.yaml
expect 2 "$PROGRAM" submit spool "$tp1" bad.yaml "$tp1"
has err '^bad.yaml:6:3: model.mas: unknown key \(did you mean mass\?\)$'
that "the key that is meant is not missing, too" lines err 'model.mass' 0
expect 2 "$PROGRAM" submit spool free.yaml
has err '^free.yaml:[0-9]+:1: control: missing'
expect 2 "$PROGRAM" submit spool plot.yaml
has err '^plot.yaml:1:13: document: "plot" is no command of a service'
expect 2 "$PROGRAM" submit spool "$tp1" --set model.mas=4
has err '^--set model.mas=4: model.mas: unknown key'
expect 2 "$PROGRAM" submit spool "$tp1" --vary time.step=0.1:0.2:2
has err 'is an option of sweep, not of control .--command sweep, or the first line'
expect 2 "$PROGRAM" submit spool "$tp1" --command sweep
has err '^stiction submit: .*--vary'
expect 2 "$PROGRAM" submit spool "$tp1" --command sweep --vary model.mass=5
expect 2 "$PROGRAM" submit spool "$tp1" --command simulate --control=1,2
has err 'expected a results directory or 3 finite numbers'
expect 2 "$PROGRAM" submit spool "$tp1" --command simulate --control=spool
has err 'no control of numbers'
expect 2 "$PROGRAM" submit spool "$tp1" --command identify
has err 'has no section identify'
expect 2 "$PROGRAM" submit spool "$tp1" --command dance
has err 'expects control, simulate, sweep or identify, not dance'
expect 2 "$PROGRAM" submit spool "$tp1" --priority 101
has err '\-\-priority expects a whole number from -100 to 100, not 101'
expect 2 "$PROGRAM" submit spool "$tp1" "$tp1" --name a
has err '\-\-name is for one file'
for name in '' . .. a/b -- a.cancel "$(printf 'a\033b')"; do expect 2 "$PROGRAM" submit spool "$tp1" --name="$name"; done
has err 'a\\x1bb: no name of a job'
that "nothing went in" test -z "$(ls -A spool/incoming)"

# --- each command's jobs, names, files that travel
mkdir data
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 2 5\n3 3 6\n' >data/M.mtx
sed 's/mass: .*/mass: {file: data\/M.mtx}/' "$tp1" >packed.yaml
{ echo '# stiction: simulate' && cat free.yaml; } >first.yaml
{ echo '# stiction: identify' && cat "$problems/identify.yaml"; } >measured.yaml
cp "$problems/identify.csv" "$problems/measured-load.csv" .
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 1\n' >data/D.mtx
sed 's|^  mass: .*|  matrices: sparse\n  mass: {file: data/D.mtx}|' "$problems/measured-load.yaml" >loaded.yaml
expect 0 "$PROGRAM" submit spool "$tp1" packed.yaml first.yaml measured.yaml "$tp1"
that "their names" test "$(tr '\n' ' ' <out)" = 'tp1 packed first measured tp1-2 '
that "what says all is one file" cmp spool/incoming/first.yaml first.yaml
that "a matrix travels" cmp spool/incoming/packed/M.mtx data/M.mtx
that "under a bare name" test "$(jq -c .settings spool/incoming/packed/job.json)" = '["model.mass.file=\"M.mtx\""]'
that "the problem is the submitter's" cmp spool/incoming/packed/problem.yaml packed.yaml
that "what was packed is a problem" "$PROGRAM" check spool/incoming/packed/problem.yaml --set 'model.mass.file="M.mtx"' --quiet
that "the submitter's alone" test "$(stat -c %a spool/incoming/packed)" = 700
expect 0 "$PROGRAM" submit spool "$tp1" --command sweep --simulate --vary 'model.friction=[5, 10]' --name s --priority -3 --set time.step=0.1
that "options travel" test "$(jq -c '[.command, .priority, .settings, .options]' spool/incoming/s/job.json)" = \
  '["sweep",-3,["time.step=0.1"],["--vary=model.friction=[5, 10]","--simulate"]]'
expect 2 "$PROGRAM" submit spool "$tp1" --name s
has err 's: there is a job of this name already'
that "nothing is hidden" test "$(find spool/incoming -name '.*' | wc -l)" -eq 0
expect 0 "$PROGRAM" status spool --json
that "all wait" jq -e '.phase == "none" and .counts.waiting == 6 and
  ([.jobs[] | [.name, .state, .command, .priority]] | sort) == ([["first","waiting","simulate",0],["measured","waiting","identify",0],
  ["packed","waiting","control",0],["s","waiting","sweep",-3],["tp1","waiting","control",0],["tp1-2","waiting","control",0]] | sort)' out >/dev/null

# --- taken back where no service is at work
mkdir spool/cancelled
expect 0 "$PROGRAM" cancel spool s packed measured first
that "taken back" test "$(tr '\n' ' ' <out)" = 's: cancelled packed: cancelled measured: cancelled first: cancelled '
expect 2 "$PROGRAM" cancel spool absent tp1-2 ../tp1
has err '^stiction cancel: absent: there is no job of this name$'
has err '^stiction cancel: ../tp1: there is no job of this name$'
expect 2 "$PROGRAM" cancel spool s
has err 's: has ended already: cancelled$'
expect 2 "$PROGRAM" fetch spool tp1
has err 'tp1: waits: there are no results yet$'
expect 2 "$PROGRAM" fetch spool ../spool/incoming
expect 2 "$PROGRAM" status spool absent
has err 'absent: there is no job of this name'

# --- served, waited for, watched
sed 's/^title: .*/title: "<b>\\u00e9"/' "$tp1" >odd.yaml
"$PROGRAM" status spool --watch >watched 2>&1 &
watcher=$!
"$PROGRAM" submit spool odd.yaml --set search.max_simplexes=2 "${small[@]}" --wait >waited 2>&1 &
waiter=$!
that "it goes in" soon 20 test -e spool/incoming/odd
that "it says that no service runs" soon 20 grep -q 'no service is at work in spool: the jobs wait for one' waited
mpi_run 2 "$PROGRAM" serve spool --drain --quiet >served 2>&1
that "the service ends" test $? -eq 0
code=0
wait "$waiter" || code=$?
has waited '^odd$'
that "the watcher hears of it" soon 10 grep -q '^service: ended' watched
signalled INT 0 "$watcher"
has watched '^tp1: waiting$'
has watched '^tp1: done, target met \(tolerance\)$'
expect 0 "$PROGRAM" status spool
has out '^ended: jobs go on when the service is started again; 0 waiting, 0 running, '
has out '^tp1 +done +control +[0-9]+ +474\.0[0-9]+ +[0-9.e-]+ +[0-9]+ +- +target met \(tolerance\)$'
expect 0 "$PROGRAM" status spool tp1
has out '^title +Glowinski-Kearsley test problem 1$'
expect 0 "$PROGRAM" fetch spool tp1
has out '^tp1: done, results in results/tp1$'
expect 2 "$PROGRAM" fetch spool tp1
has err 'is there already'
that "all of it" diff -r -x lock spool/done/tp1 results/tp1
expect 0 "$PROGRAM" report results/tp1
expect 2 "$PROGRAM" submit spool "$tp1" --set "control.start={from: $PWD/results/tp1}"
has err 'control.start.from: results of another run do not travel with a job'
expect 0 "$PROGRAM" fetch spool tp1 --force --quiet
that "quiet" test ! -s out
expect 2 "$PROGRAM" cancel spool tp1
has err 'tp1: has ended already: done'

# --- one waits under the name of one that has ended
cp "$tp1" spool/incoming/tp1.yaml
expect 0 "$PROGRAM" status spool tp1
that "both are listed" test "$(grep '^state' out | tr -s ' \n' ' ')" = 'state waiting state done '
expect 0 "$PROGRAM" status spool tp1 --json
that "likewise" test "$(jq -r .state out | tr '\n' ' ')" = 'waiting done '
expect 0 "$PROGRAM" cancel spool tp1
has out '^tp1: cancelled$'
that "the one that waited" cmp "$tp1" spool/cancelled/tp1-3/problem.yaml
that "alone" test -e spool/done/tp1 -a ! -e spool/incoming/tp1.yaml

# --- jobs of all commands by a service, with what travels; one that runs is cancelled, fetched, and gone on with
expect 0 "$PROGRAM" serve live --init
"$PROGRAM" submit live "$tp1" --name long --set search.accept=1e-300 --set search.restarts=1000 --set search.max_seconds=3600 --wait >waited 2>&1 &
waiter=$!
expect 0 "$PROGRAM" submit live packed.yaml first.yaml measured.yaml "${small[@]:0:2}" --priority 7
expect 0 "$PROGRAM" submit live "$tp1" --command sweep --simulate --vary 'model.friction=[5, 10]' --name s
halved=(--set search.accept=1e-300 --set search.restarts=1000 --set search.max_simplexes=40 --set time.step=0.05)
expect 0 "$PROGRAM" submit live packed.yaml --name halved "${halved[@]}"
loaded=(--set time.step=8e-7 --set output.every=25000)
expect 0 "$PROGRAM" submit live loaded.yaml --command simulate "${loaded[@]}"
mpi_run 2 "$slow" serve live --quiet >served 2>&1 &
service=$!
cancelled() { # JOB
  expect 0 "$PROGRAM" cancel live "$1"
  that "$1 is cancelled" soon 20 test -d "live/cancelled/$1"
  expect 0 "$PROGRAM" fetch live "$1" -o "got/$1" --quiet
}
that "the motion begins" soon 60 test -e live/running/loaded/trajectory.csv
cancelled loaded # at once: on a busy machine it may be over
that "one search is on its way" soon 60 rows 5 live/running/halved/search.csv
varied=(--set time.step=0.05 --vary 'model.friction=5:15:8')
expect 0 "$PROGRAM" submit live packed.yaml --command sweep --name varied "${varied[@]}"
cancelled halved
that "a sweep has some rows" soon 60 rows 2 live/running/varied/checkpoint/rows
cancelled varied
that "the others are done" soon 60 test -e live/done/packed -a -e live/done/first -a -e live/done/measured -a -e live/done/s
searches() { "$PROGRAM" status live long --json | jq -e '.state == "running" and .rounds > 1 and .time_left > 3000 and .time_left < 3600'; }
that "the long one runs, for less than its max_seconds" soon 20 searches
expect 0 "$PROGRAM" status live
has out '^serving on 2 ranks, [0-9]+ busy, [0-9]+ simulations a second; 0 waiting, 1 running, 4 done, 0 failed, 3 cancelled$'
expect 0 "$PROGRAM" status live --json
that "what is known of each" jq -e '[.jobs[] | select(.state == "done") | [.name, .command, .exit, .priority, .submitter != null]] | sort ==
  [["first","simulate",0,7,true],["measured","identify",0,7,true],["packed","control",0,7,true],["s","sweep",0,0,true]]' out >/dev/null
expect 0 "$PROGRAM" fetch live long -o sofar --quiet
that "a search so far" rows 2 sofar/search.csv
expect 0 "$PROGRAM" cancel live long
has out '^long: cancelled$'
code=0
wait "$waiter" || code=$?
that "the waiting command exits with 85 ($code)" test "$code" -eq 85
has waited '^long: cancelled after [0-9]+ rounds$'
expect 0 "$PROGRAM" fetch live long -o stopped
expect 0 "$PROGRAM" plot stopped
touch mark
"$PROGRAM" resume stopped >out 2>&1 &
resumed=$!
that "it goes on" soon 30 test stopped/search.csv -nt mark
signalled INT 85 "$resumed"
has out '^going on from simplex [1-9]'
touch live/stop
wait "$service" || fail "the service: exit $?"
every_summary live

# --- what was cancelled goes on elsewhere, without the spool, its matrix or its table
mv live gone
for job in halved loaded varied; do
  code=0
  "$PROGRAM" resume "got/$job" --quiet 2>err || code=$?
  that "$job goes on: $code" test "$code" -eq 0 -o "$code" -eq 3
done
"$PROGRAM" control packed.yaml "${halved[@]}" -o whole/halved --quiet 2>err
"$PROGRAM" simulate loaded.yaml "${loaded[@]}" -o whole/loaded --quiet
"$PROGRAM" sweep packed.yaml "${varied[@]}" -o whole/varied --quiet
that "varied: the same table" cmp whole/varied/sweep.csv got/varied/sweep.csv
portable() { stripped "$1" | sed 's|"file": ".*/|"file": "|'; }
for job in halved loaded; do that "$job: the same bytes" cmp <(portable "whole/$job") <(portable "got/$job"); done

# --- a service that does not answer any more
jq '.phase = "serving"' spool/status.json >part && mv part spool/status.json
touch -d '1 hour ago' spool/status.json
expect 0 "$PROGRAM" status spool
has out '^dead: nothing has been heard of the service for 36[0-9][0-9] s'

# --- thousands of done jobs are listed quickly
mkdir -p many/incoming many/done
(cd many/done && seq -f 'job%05.0f' 2000 | xargs mkdir)
SECONDS=0
expect 0 "$PROGRAM" status many
that "in a moment" test "$SECONDS" -le 3
that "20 of them" lines out ' done ' 20
has out '^1980 more \(--all\)$'
verdict
