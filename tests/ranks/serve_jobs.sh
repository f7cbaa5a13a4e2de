#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Jobs of a service in processes of their own: every command with the bytes that it gives by hand, also stopped, killed, or begun by ranks; no job
# waits for them; limits; what takes the service or its process down.
#   usage: tests/ranks/serve_jobs.sh PROGRAM      one with slow_evaluations.c
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
export STICTION_SLOWER=0
tp1=$problems/tp1.yaml
mkdir whole

# job SPOOL NAME FILE [JSON]: a job that a service had paused, and finds
job() {
  mkdir -p "$1/incoming" "$1/running/$2"
  echo '{"attempts": 0, "seconds": 0, "place": "ranks"}' >"$1/running/$2/attempts.json"
  cp "$3" "$1/running/$2/problem.yaml"
  [ -z "${4:-}" ] || echo "$4" >"$1/running/$2/job.json"
}
# commanded COMMAND FILE: as its first line has it
commanded() { echo "# stiction: $1" | cat - "$2"; }
# child COMMAND NAME: the process that has it
child() { pgrep -f "^stiction $1 .*running/$2( |\$|/)" | head -1; }
runs() { [ -n "$(child "$@")" ]; }
serves() { # RANKS SPOOL OPTIONS...
  local ranks=$1 spool=$2
  shift 2
  expect 0 mpi_run "$ranks" "$PROGRAM" serve "$spool" --drain "$@"
}
# like A B: the same results, but for clocks and ranks
like() { cmp <(stripped "$1") <(stripped "$2"); }

# --- every command, and searches of which something is not for rank 0: the bytes of the same by hand
sed 's/^search:.*/search: {method: nlopt:cobyla}/; s/^control:/control:\n  bounds: {lower: -1000}/' "$tp1" >library.yaml
sed 's/^search:.*/search: {method: sqp, max_simplexes: 3}/; s/^control:/control:\n  signal: {kind: piecewise_constant, segments: 8}/' "$tp1" >many.yaml
{ cat "$tp1"; head -c 1100000 /dev/zero | tr '\0' '#'; } | sed 's/^search:.*/search: {method: pds, penalty: P, scheme_size: 9}/' >large.yaml
for name in library many large; do
  "$PROGRAM" control $name.yaml -o whole/$name -q 2>err
  job commands $name $name.yaml
done
"$PROGRAM" simulate "$problems/shiau-6.3.yaml" -o whole/simulated -q --verify
job commands simulated "$problems/shiau-6.3.yaml" '{"format": 1, "command": "simulate", "options": ["--verify"]}'
"$PROGRAM" sweep "$problems/shiau-6.3.yaml" -o whole/swept -q --vary 'model.friction=[10, 12]'
job commands swept "$problems/shiau-6.3.yaml" '{"format": 1, "command": "sweep", "options": ["--vary", "model.friction=[10, 12]"]}'
"$PROGRAM" simulate "$tp1" -o whole/set -q --set model.friction=7
commanded simulate "$tp1" >set.yaml
job commands set set.yaml '{"format": 1, "settings": ["model.friction=7"]}'
printf 't,x1\n0,0\n0.1,0.005\n0.2,0.02\n0.3,0.045\n' >data.csv
cat >identify.yaml <<'END'
model: {kind: friction, mass: 1, friction: 0.1, x0: 0, force: 1}
time: {end: 0.3, step: 0.01}
scheme: {name: event}
measured: {file: data.csv}
identify: {model.mass: {lower: 0.1, upper: 10}}
END
"$PROGRAM" identify identify.yaml -o whole/identified -q
job commands identified identify.yaml '{"format": 1, "command": "identify"}'
cp data.csv commands/running/identified/
job commands outside identify.yaml '{"format": 1, "command": "identify", "settings": ["measured.file=../../../data.csv"]}'
job commands refused "$tp1" '{"format": 1, "command": "sweep", "options": ["--output", "/tmp"]}'
job commands wide many.yaml
serves 3 commands --max-variables 24
that "nothing runs any more" test "$(count commands/running)" -eq 0
for name in library many large simulated set; do that "$name: the bytes of the command" like whole/$name commands/done/$name; done
that "swept: the table of the command" cmp whole/swept/sweep.csv commands/done/swept/sweep.csv
that "identified: the fit of the command" cmp whole/identified/fit.csv commands/done/identified/fit.csv
that "no more in done/ than that" test "$(count commands/done)-$(count commands/failed)" = 8-2
has commands/failed/outside/error.txt "\"../../../data.csv\" is not in this file's folder"
has commands/failed/refused/error.txt 'is no option of sweep that a service allows'
that "attempts are no result" test -z "$(find commands -name attempts.json)"
serves 1 commands --drain

# --- results of many files are given to their submitter in pieces, and only then moved: a kill in between leaves them to the next service
if [ "$(id -u)" -eq 0 ]; then
  others() { find gives/*/kept ! -user 1001 | wc -l; }
  given() { [ -n "$(find gives/*/kept -mindepth 1 -user 1001 ! -name problem.yaml -print -quit 2>err)" ]; }
  printf 'model: {kind: friction, mass: 1, friction: 0.1, x0: 0, force: 1}\ntime: {end: 0.3, step: 0.01}\n' >kept.yaml
  job gives kept kept.yaml '{"format": 1, "command": "sweep", "options": ["--simulate", "--keep", "--vary", "model.friction=0.1:0.9:200"]}'
  chown 1001:1001 gives/running/kept/problem.yaml
  serves 2 gives
  that "a sweep that keeps its runs is its submitter's" test "$(others)" -eq 0
  that "all of it" test "$(find gives/done/kept -type f | wc -l)" -gt 400
  mv gives/done/kept gives/running
  (mkdir gives/running/kept/more && cd gives/running/kept/more && seq 20000 | xargs touch)
  chown -R 0:0 gives/running/kept
  mpi_exec 2 "$PROGRAM" serve gives --drain >gives.log 2>&1 &
  launcher=$!
  find_giver() { giver=$(rank_pid gives 0) && [ -n "$giver" ]; } # before, for it takes a while
  that "it has begun" soon 20 find_giver
  that "it is being given" soon 20 given
  kill -KILL "$giver"
  wait "$launcher"
  that "a part has been" test "$(others)" -gt 1000
  that "its folder stays the service's until all files are given" test "$(stat -c %u gives/running/kept)" -eq 0
  serves 2 gives
  that "the rest is by the next service, which moves it" test "$(count gives/running)-$(others)" = 0-0
  that "it has not been worked off once more" test "$(count gives/done/kept/more)" -eq 20000
fi

# --- a process looks first at a job with much to read, wherever that is: here in its matrix
mkdir -p heavy/incoming heavy/running/pack
sed 's/mass: .*/mass: {file: M.mtx}/; s/^search:.*/search: {method: pds, penalty: P, scheme_size: 9}/' "$tp1" >heavy/running/pack/problem.yaml
{
  echo '%%MatrixMarket matrix coordinate real symmetric'
  yes '% a comment of some words' | head -n 2000000
  printf '3 3 3\n1 1 4\n2 2 5\n3 3 6\n'
} >heavy/running/pack/M.mtx
mpi_exec 1 "$PROGRAM" serve heavy --drain >out 2>err &
launcher=$!
that "a process checks it" soon 30 runs check pack
that "it ends" wait $launcher
that "done" test -e heavy/done/pack/summary.json

# --- one that lasts does not hold up others: it began first, and is done last
sed -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 320, max_simplexes: 40}/' "$tp1" >long.yaml
echo 'checkpoint: {seconds: 0}' >>long.yaml
"$PROGRAM" control long.yaml -o whole/long -q 2>err
# as a job of which a process is known to be its place
lasts() {
  job "$1" a long.yaml
  echo '{"attempts": 0, "seconds": 0, "place": "process"}' >"$1/running/a/attempts.json"
}
for k in 1 2 3; do whole $k; done
export STICTION_SLOWER=5
lasts order
for k in 1 2 3; do submit order whole/$k.yaml p$k.yaml; done
STICTION_SLOWER=10 serves 2 order --processes 1 # longer asleep: a busy machine changes less
that "the long one is the last of four" test "$(sed -n 's/^[^ ]* \([^:]*\): done.*/\1/p' out | tr '\n' ' ' | grep -c '^p[123] p[123] p[123] a $')" -eq 1
for k in 1 2 3; do done_right order p$k $k; done
that "the long one: the bytes of the command" like whole/long order/done/a

# --- nor does one that asks for a minute's work before its first step, or is nested too deeply to be read: a small one that comes behind them is done
terms=$(yes 'sin(exp(cos(t)))' | head -n 50 | paste -sd+)
sed "s/force: .*/force: \"$terms\"/; s/step: 0.0125/steps: 20000000/" "$tp1" >steps.yaml
head -c 400000 /dev/zero | tr '\0' '[' >nested.yaml
expect 0 "$PROGRAM" serve ahead --init
mpi_exec 2 "$PROGRAM" serve ahead --processes 1 --max-seconds 1000 --max-memory 64G >log 2>err &
launcher=$!
for name in nested steps; do submit ahead $name.yaml $name.yaml; done
that "its work has begun" soon 30 pgrep -f '^stiction [a-z]* .*ahead/running/steps'
submit ahead whole/1.yaml p.yaml
that "the small one is done" soon 10 test -e ahead/done/p/summary.json
done_right ahead p 1
that "while the other works" pgrep -f '^stiction [a-z]* .*ahead/running/steps' >out
has ahead/failed/nested/error.txt 'nested too deeply'
kill -KILL "$(rank_pid ahead 0)" # which takes that with it
outlast "$launcher"
that "no process is left behind" soon 10 eval "! pgrep -f '^stiction .*ahead/running'"

# --- three in turns of a second for one process: the job in it works, and is not paused right after its start
sweep='{"format": 1, "command": "sweep", "settings": ["search.scheme_size=32", "search.max_simplexes=4"], "options": ["--vary", "model.friction=8:12:16"]}'
for name in u v w; do job turns $name "$tp1" "$sweep"; done # runs of a sixth of a second, asleep
STICTION_SLOWER=8 mpi_exec 1 "$PROGRAM" serve turns --drain --processes 1 --turn 1 >log 2>err &
launcher=$!
for name in u v w; do
  that "$name has had a turn" soon 30 grep -q " $name: pauses" log
  that "of a second" test "$(jq '.seconds >= 1' turns/running/$name/attempts.json)" = true
done
that "they end" wait $launcher
that "all of them" test "$(count turns/done)" -eq 3

# --- more of them than places on the ranks, and than processes: a search waits for neither, be it the last
for name in u v w; do
  job crowd $name "$problems/shiau-6.3.yaml" '{"format": 1, "command": "sweep", "settings": ["time.steps=100000"], "options": ["--vary", "model.friction=1:12:1500"]}'
done
mpi_exec 2 "$PROGRAM" serve crowd --processes 1 --at-once 2 >log 2>err &
launcher=$!
for name in u v w; do that "$name has begun" soon 15 grep -q " $name: goes on" log; done
submit crowd whole/1.yaml p.yaml
that "the search is done before any turn of 20 s is over" soon 15 test -e crowd/done/p/summary.json
done_right crowd p 1
that "no job has paused" test "$(grep -c pauses log)" -eq 0
touch crowd/stop
that "stopped in order" wait $launcher
that "the sweeps stay" test "$(count crowd/running)" -eq 3

# --- killed and stopped in the midst of it
export STICTION_SLOWER=5
lasts killed
mpi_exec 1 "$PROGRAM" serve killed --drain >out 2>err &
launcher=$!
that "the process has a checkpoint" soon 30 test -e killed/running/a/checkpoint/state.0
kill -KILL "$(rank_pid killed 0)"
outlast "$launcher"
that "no process is left behind" test -z "$(pgrep -f "^stiction .*killed/running/a")"
mpi_exec 1 "$PROGRAM" serve killed --drain >out 2>err &
launcher=$!
that "it goes on" soon 30 runs resume a
signalled TERM 1 $launcher
that "stopped, it stays" test -e killed/running/a/checkpoint/run.json
serves 1 killed
that "the bytes of the command" like whole/long killed/done/a

# --- a process that dies is tried once more
lasts dies
mpi_exec 1 "$PROGRAM" serve dies --drain >out 2>err &
launcher=$!
for k in 1 2; do
  that "attempt $k" soon 30 attempt dies a $k
  kill -SEGV "$victim"
done
that "the service lives on" wait $launcher
expect 0 "$PROGRAM" status dies a --json
that "its exit code is the service's" test "$(jq .exit out)" -eq 70
has dies/failed/a/error.txt 'its process died on signal 11 \(Segmentation fault\), in attempt 2'

# --- a search on the ranks that may have crashed the service twice goes on in a process of its own
job down a long.yaml
for k in 1 2; do
  mpi_exec 2 "$PROGRAM" serve down --drain >out 2>err &
  launcher=$!
  that "attempt $k of the ranks" soon 30 grep -q "\"attempts\": $k" down/running/a/attempts.json
  that "the search has begun" soon 30 test -e down/running/a/checkpoint/state.0
  kill -KILL "$(rank_pid down 0)"
  outlast "$launcher"
done
mpi_exec 2 "$PROGRAM" serve down --drain >out 2>err &
launcher=$!
that "then of a process" soon 30 runs resume a
that "which ends" wait $launcher
that "the bytes of the command" like whole/long down/done/a

# --- memory that does not suffice in spite of the estimate: none is left at the first evaluation
job hungry a library.yaml
job hungry b "$tp1" '{"format": 1, "command": "sweep", "options": ["--vary", "model.friction=[5, 6]"]}'
export STICTION_HUNGRY=1
serves 1 hungry --max-memory 64M
unset STICTION_HUNGRY
if nm "$PROGRAM" | grep -qE '__[at]san_init'; then
  that "no limit beside AddressSanitizer and its like" test "$(count hungry/done)" -eq 2
else
  for name in a b; do
    has hungry/failed/$name/error.txt 'out of memory'
    has hungry/failed/$name/error.txt '^stiction serve: its process could have 1088 MiB of memory \(--max-memory, and 1024 MiB for libraries\)$'
    that "$name: exit 70" test "$("$PROGRAM" status hungry $name --json | jq .exit)" = 70
  done
fi

# --- for so many seconds, on the ranks and in a process
export STICTION_SLOWER=10
lasts late
job late ranks long.yaml
serves 2 late --job-seconds 2
for name in ranks a; do
  has late/failed/$name/error.txt '^stiction serve: ended after [0-9.]+ s \(expected at most 2 s, --job-seconds\)'
  that "$name: which is the first line of error.txt" test "$(head -1 late/failed/$name/error.txt | grep -c job-seconds)" -eq 1
  that "$name: exit 4" test "$("$PROGRAM" status late $name --json | jq .exit)" -eq 4
  that "$name: its results so far" test "$(jq -r .outcome.reason late/failed/$name/summary.json)" = signal
done

verdict
