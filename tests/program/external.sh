#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# `stiction search`: a user's programs; failures; time; signals; nothing is left running; going on; any number of ranks.
set -uo pipefail
program=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
PROGRAM=$program

# columns of search.csv but the seconds
course() { cut -d, -f1-10 "$1/search.csv"; }
same_course() { cmp <(course "$1") <(course "$2"); }
running() { pgrep -f "$scratch/$1" >/dev/null; }
gone() {
  for _ in $(seq 50); do
    running "$1" || return 0
    sleep 0.1
  done
  return 1
}

cat >rosenbrock.awk <<'EOT'
{ v[$1] = $2 }
END { printf "%.17g %.17g\n", 10 * (v["y"] - v["x"] ^ 2), 1 - v["x"] }
EOT
cat >rosenbrock.yaml <<'EOT'
title: Rosenbrock's function
evaluator:
  command: awk -f rosenbrock.awk
  variables: [{name: x, start: -1.2}, {name: y, start: 1, lower: -3, upper: 3}]
  values: [{name: a, role: residual}, {name: b, role: residual}]
search: {stop_at: 1, step: 0.5}
EOT

# --- alone, on ranks, with files and with standard streams
expect 0 "$PROGRAM" search rosenbrock.yaml -o one
has out '^f = 0[.][0-9]+$'
has one/summary.json '"met": true'
that "no folder of a point stays" absent one/points
expect 0 mpi_run 2 "$PROGRAM" search rosenbrock.yaml -o on2
that "the same on 2 ranks" same_course one on2
expect 0 "$PROGRAM" search rosenbrock.yaml -o files --set 'evaluator.command=sh -c "awk -f rosenbrock.awk <{input} >{output}"' --set evaluator.keep=all
that "the same through files" same_course one files
that "each point has a folder" test "$(find files/points -name input | wc -l)" -eq "$(grep -o '"ivps": [0-9]*' files/summary.json | head -1 | tr -dc 0-9)"
expect 0 "$PROGRAM" check rosenbrock.yaml
has out '^program    /.*/awk, 2 values'
expect 2 "$PROGRAM" control rosenbrock.yaml
has err 'only .stiction search.'
mkdir -p spool/incoming
cp rosenbrock.yaml spool/incoming/
expect 0 mpi_run 2 "$PROGRAM" serve spool --drain
that "serve refuses it" grep -rq 'only .stiction search.' spool
for command in simulate identify; do
  expect 2 "$PROGRAM" $command rosenbrock.yaml
  has err 'only .stiction search.'
done
expect 2 "$PROGRAM" sweep rosenbrock.yaml --vary 'search.step=[1, 2]' -o sweep
has err 'only .stiction search.'
expect 0 "$PROGRAM" plot one
expect 0 "$PROGRAM" report one
has one/report.html '<strong>Ended</strong>'
expect 0 "$PROGRAM" search rosenbrock.yaml -o expressions --set 'evaluator.variables=[{name: x, start: -6/5}, {name: y, start: cos(0), lower: -3, upper: 2*pi}]' \
  --set evaluator.timeout=60*2 --max-seconds 5
has out '^ended \(stop_at\) after '
expect 2 "$PROGRAM" search rosenbrock.yaml -o expressions --force --set evaluator.timeout=60*2 --max-seconds 1e-9
has err 'expressions: about .* --max-seconds'
expect 2 "$PROGRAM" search "$problems/tp1.yaml"
has err 'evaluator: missing'

# --- the gallery's
expect 0 "$PROGRAM" search "$problems/external-tin.yaml" -o tin
that "the least tin" jq -e '.outcome | .met and ((.f - 5.535810) | fabs) < 1e-5 and ((.variables.r - 0.5419261) | fabs) < 1e-3' tin/summary.json >out

# --- a failed evaluation counts as infinite, and is reported
cat >fails.sh <<'EOT'
#!/bin/sh
read -r name x
case $x in
  -1) echo "no way: $x" >&2; exit 3 ;;
  -*) kill -9 $$ ;;
  3) echo nan ;;
  4*) echo 1 2 ;;
  5*) : ;;
  6*) echo one ;;
  *) awk -v x="$x" 'BEGIN { print (x - 2) ^ 2 }' ;;
esac
EOT
chmod +x fails.sh
cat >fails.yaml <<'EOT'
evaluator: {command: ./fails.sh, variables: [{name: x, start: 1}]}
search: {method: pds, tolerance: 1e-2, scheme_size: 12, step: 2}
EOT
expect 0 "$PROGRAM" search fails.yaml -o fails
has out '^ended '
has out '^x = 2$'
has err 'the first that failed: .*/points/[0-9a-f]+: '
has err 'runs of the program failed, 0 of them for their time'
that "each that failed is counted" test "$(find fails/points -name failure | wc -l)" -eq "$(grep -o '"non_finite": [0-9]*' fails/summary.json | tr -dc 0-9)"
for kind in 'exit code 3' 'signal 9' 'output: nan is no finite number' 'output: more than 1 number'; do
  that "failed by: $kind" grep -rq "$kind" --include=failure fails/points
done
expect 0 "$PROGRAM" search fails.yaml -o fails --force --set evaluator.keep=none
that "none is kept" absent fails/points
that "of what kinds they were is not said then" jq -e '.counts | .non_finite > 0 and (has("failures_kept") | not)' fails/summary.json >out

# --- bad outputs of any kind are reported, never read for ever, and overrun no memory
cat >odd.sh <<'EOT'
#!/bin/sh
case $1 in
  zero) ln -s /dev/zero "$2" ;;
  fifo) mkfifo "$2" ;;
  folder) mkdir "$2" ;;
  link) echo 1 >"$2.else" && ln -s "$2.else" "$2" ;;
  nul) printf '1\000garbage' >"$2" ;;
  long) printf '%0600d' 1 >"$2" ;;
  sum) printf '1%069d 2' 1 >"$2" ;;
  hexadecimal) echo 0x10 >"$2" ;;
  many) seq 100000 >"$2" ;;
  order) printf '\033[31m1' >"$2" ;;
  endless) exec yes ;;
  large) exec yes >"$2" ;;
esac
EOT
chmod +x odd.sh
odd() { # odd KIND REASON: a point that fails for a reason
  expect 4 timeout 60 "$PROGRAM" search slow.yaml -o odd --force --set "evaluator.command=./odd.sh $1 {output}" --set search.method=nlopt:cobyla --set search.max_evaluations=1 --set evaluator.timeout=30
  has err "/points/[0-9a-f]+: $2"
  has out '^no point could be evaluated'
  that "$1: nothing is said of a miss" jq -e '.outcome | ."E1" == null and .f == null' odd/summary.json >out
}
cat >slow.yaml <<'EOT'
evaluator: {command: ./slow.sh slow, timeout: 0.5, variables: [{name: x, start: 1}]}
search: {method: pds, max_evaluations: 10, scheme_size: 8}
checkpoint: {grace: 0.2, seconds: 0}
EOT
for kind in zero fifo folder link; do odd "$kind" 'output: not a file'; done
for kind in nul long hexadecimal order; do odd "$kind" 'output: .* is no finite number'; done
odd sum 'output: 2 numbers|output: more than 1 number'
odd many 'output: more than 1 number'
odd none 'no output'
for kind in endless:stdout large:output; do
  odd "${kind%:*}" 'output: more than 64 MiB'
  that "${kind%:*}: what is beyond is cut off" test "$(find odd/points -name "${kind#*:}" -size -65M | wc -l)" -eq 1
done

# one SECTION.KEY=VALUE..: one point of it
one() { "$PROGRAM" search fails.yaml -o single --force --quiet --set search.method=nlopt:cobyla --set search.max_evaluations=1 "$@"; }
f_is() { jq -e ".outcome.f == $1" single/summary.json; }

# --- what a shell replaces is the shell's, what we replace is ours
# shellcheck disable=SC2016 # the shell's of the program
expect 0 one --set 'evaluator.command=sh -c "output=7 && echo ${output}"'
that "\${output} is the shell's" f_is 7 >out

# --- what the program leaves behind is reaped while it runs
cat >orphans.sh <<'EOT'
#!/bin/sh
for i in $(seq 50); do (true &); done
sleep 0.3
ps -o stat= --ppid $PPID | grep -c Z || :
EOT
chmod +x orphans.sh
expect 0 one --set evaluator.command=./orphans.sh
that "no zombie stays" f_is 0 >out

# --- the environment is the user's, but for what makes a rank of MPI of us
# shellcheck disable=SC2016
setting='evaluator.command=sh -c "echo ${OMPI_MCA_rmaps_base_no_schedule_local:-5}"'
export OMPI_MCA_rmaps_base_no_schedule_local=0
expect 0 one --set "$setting"
that "a setting of the user's stays" f_is 0 >out
unset OMPI_MCA_rmaps_base_no_schedule_local

# --- a folder that cannot be made: which, and why; by the worker that wanted it
cat >folderless.sh <<'EOT'
#!/bin/sh
points=$(dirname "$1")
rm -r "$points"
: >"$points"
EOT
chmod +x folderless.sh
for n in 1 2; do
  expect 70 mpi_run "$n" "$PROGRAM" search fails.yaml -o folderless --force --quiet --set 'evaluator.command=./folderless.sh {directory}'
  has err '/folderless/points/[0-9a-f]+: Not a directory'
  has err 'folderless/points cannot be written; .stiction resume'
done

# --- methods that do not mind constraints
expect 0 "$PROGRAM" check rosenbrock.yaml --set search.method=nlopt:bobyqa
that "no warning where there is nothing to warn of" test -z "$(grep '^warning ' out)"
bounded='evaluator.values=[{name: a}, {name: b, role: at_most, target: 0}]'
expect 0 "$PROGRAM" check rosenbrock.yaml --set search.method=nlopt:bobyqa --set "$bounded"
has out '^warning +nlopt:bobyqa: constraints have the penalty '
expect 0 "$PROGRAM" check rosenbrock.yaml --set "$bounded"
that "no warning where there is nothing to warn of" test -z "$(grep '^warning ' out)"

# --- time, and what a program leaves running
cat >slow.sh <<'EOT'
#!/bin/sh
sleep 60 &
echo $! >>pids
setsid sh -c 'echo $$ >>pids; sleep 60 & echo $! >>pids; wait' &
sleep 0.1
[ "$1" = quick ] || sleep 60
echo 3
EOT
chmod +x slow.sh
# whether those of pids have ended
none_left() {
  local pid
  sleep 0.3
  while read -r pid; do
    case $(ps -o stat= -p "$pid") in "" | Z*) ;; *) return 1 ;; esac # one that has ended may wait for its parent
  done <pids
}
expect 4 "$PROGRAM" search slow.yaml -o slow --set 'search={method: nlopt:cobyla, max_evaluations: 3}'
has err '3 runs of the program failed, 3 of them for their time'
has slow/summary.json '"timeout": 3'
that "the children of programs that took too long have ended" none_left
: >pids
expect 0 "$PROGRAM" search slow.yaml -o slow --force --set 'evaluator.command=./slow.sh quick' --set search.tolerance=0.5 --set evaluator.timeout=60
that "what a program leaves running is ended" none_left

# --- signals: on TERM a checkpoint, no program left, and the answer is that of a run never stopped
cat >steady.sh <<'EOT'
#!/bin/sh
[ ! -e slowly ] || sleep 0.05
exec awk -f rosenbrock.awk
EOT
chmod +x steady.sh
# the search itself, or all of its ranks by mpirun
ask_to_stop() { pkill -USR1 -P "$1" mpirun || kill -TERM "$1"; }
for n in 0 3; do
  start=("$PROGRAM")
  touch slowly
  [ "$n" = 0 ] || start=(mpi_run "$n" "$PROGRAM")
  "${start[@]}" search rosenbrock.yaml --set evaluator.command=./steady.sh --set checkpoint.grace=0 --set checkpoint.seconds=0.1 -o "stopped$n" >out 2>err &
  job=$!
  that "stopped$n: it is under way" soon 60 rows 4 "stopped$n/search.csv"
  ask_to_stop "$job"
  wait "$job"
  that "stopped$n: exit code 85" test $? -eq 85
  rm slowly
  has err "stopped on a signal; .stiction resume .*stopped$n. goes on"
  that "stopped$n: a checkpoint is there" test -s "stopped$n/checkpoint/run.json"
  mkdir -p "stopped$n/points/0123456789abcdef" # as a rank that is killed leaves it
  that "stopped$n: no program is left" gone steady.sh
  that "stopped$n: a run that was cancelled has not failed" jq -e '.counts.non_finite == 0 and .counts.timed_out == 0' "stopped$n/summary.json" >out
  for _ in 1 2 3; do
    [ -e "stopped$n/summary.json" ] && grep -q '"reason": "stop_at"' "stopped$n/summary.json" && break
    expect 0 "$PROGRAM" resume "stopped$n"
  done
  that "stopped$n: no folder of a point stays" absent "stopped$n/points"
  that "stopped$n: the same as if it never had been" same_course one "stopped$n"
done
# programs that take longer than the grace time, at other ranks: ended, and all ranks leave in order
: >pids
mpi_run 3 "$PROGRAM" search slow.yaml --set evaluator.timeout=50 --set checkpoint.grace=0.3 -o graceful >out 2>err &
job=$!
for _ in $(seq 100); do
  [ "$(wc -l <pids)" -lt 2 ] || break
  sleep 0.1
done
ask_to_stop "$job"
wait "$job"
that "graceful: exit code 85" test $? -eq 85
has err 'stopped on a signal'
that "graceful: no rank had to be ended" test -z "$(grep MPI_A err)"
that "graceful: no program is left" none_left
that "graceful: what was ended has not failed" jq -e '.counts.non_finite == 0 and .counts.timed_out == 0' graceful/summary.json >out

# --- a signal to one rank alone: its program is ended, which is no failure of the point
cat >held.sh <<'EOT'
#!/bin/sh
[ ! -e held ] || sleep 2
exec awk -f rosenbrock.awk
EOT
chmod +x held.sh
touch held
mpi_run 3 "$PROGRAM" search rosenbrock.yaml --set evaluator.command=./held.sh --set checkpoint.grace=0.2 -o one_rank >out 2>err &
job=$!
that "one_rank: a program runs" soon 60 eval 'ls one_rank/points/*/stdout'
kill -TERM "$(rank_pid one_rank 1)"
wait "$job"
that "one_rank: exit code 85" test $? -eq 85
that "one_rank: no run has failed" jq -e '.counts.non_finite == 0 and .counts.timed_out == 0' one_rank/summary.json >out
rm held
expect 0 "$PROGRAM" resume one_rank
that "one_rank: the point was evaluated after all" jq -e '.counts.non_finite == 0 and .counts.timed_out == 0' one_rank/summary.json >out
that "one_rank: the same as if it never had been" same_course one one_rank

# --- magnitudes: f is |10 (y - x^2)| + |1 - x|
expect 0 "$PROGRAM" search rosenbrock.yaml -o magnitudes --set 'evaluator.values=[{name: a, role: magnitude}, {name: b, role: magnitude}]' --set search.method=pds --set search.max_evaluations=100
that "magnitudes: f is the sum of absolute values" jq -e '.outcome.f > 0 and (([.outcome.values[] | fabs] | add) - .outcome.f | fabs) < 1e-12' magnitudes/summary.json >out

# --- a program that is one of MPI, started by a rank of ours
cat >nested.sh <<'EOT'
#!/bin/sh
mpirun --oversubscribe --bind-to none -n 2 "$1" simulate "$2" --quiet --force -o "$3/motion" >&2 && exec awk -f rosenbrock.awk
EOT
chmod +x nested.sh
expect 0 mpi_run 2 "$PROGRAM" search rosenbrock.yaml -o nested --set "evaluator.command=./nested.sh $PROGRAM $problems/tp1.yaml {directory}" --set search.method=nlopt:cobyla --set search.max_evaluations=2
that "nested: no run has failed" jq -e '.counts.non_finite == 0' nested/summary.json >out

: >pids
"$PROGRAM" search slow.yaml --set evaluator.timeout=50 -o killed >out 2>err &
job=$!
for _ in $(seq 50); do
  [ ! -s pids ] || break
  sleep 0.1
done
kill -KILL "$job"
wait "$job" 2>/dev/null
that "a program does not outlive a search that is killed" none_left
every_summary .
verdict
