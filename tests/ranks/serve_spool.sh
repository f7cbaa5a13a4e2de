#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What others do to a service's folder: turns of long jobs and short ones, cancel requests, folders that vanish, packed jobs, and which user may read which file.
#   usage: tests/ranks/serve_spool.sh PROGRAM      one with slow_evaluations.c
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
tp1=$problems/tp1.yaml
mkdir whole
chmod 755 .
root_user() { [ "$(id -u)" -eq 0 ]; }
# as UID COMMAND...: by another user
as() { setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"; }
# given FILE: gives it to the user 65534, if we are root
given() { if root_user; then chown -hR 65534:65534 "$1"; fi; }
# logged PATTERN: a line of the service's log matches
logged() { grep -qE -- "$1" log; }
# cancel SPOOL NAME
cancel() { touch "$1/part" && mv "$1/part" "$1/incoming/$2.cancel"; }
runs() { [ -d "here/running/$1" ]; }
searching() { [ "$(find here/running -name search.csv -size +200c | wc -l)" -ge "$1" ]; }

# --- folders before the first start
expect 0 bash -c "umask 0; '$PROGRAM' serve here --init"
that "any user may submit, none may take others' jobs away" test "$(stat -c %a here/incoming)" = 1777
that "no other user writes elsewhere" test "$(stat -c %a here here/running here/done here/failed here/cancelled | sort -u)" = 755
mkdir -p made/incoming
chmod 775 made/incoming
expect 0 "$PROGRAM" serve made --init
that "nor of one made before" test "$(stat -c %a made/incoming)" = 1775
expect 0 bash -c "umask 077; '$PROGRAM' serve mine --init"
that "by the umask" test "$(stat -c %a mine/incoming mine/done | sort -u)" = 700

# --- a packed job, with a matrix, by hand
mkdir pack
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 2 5\n3 3 6\n' >pack/M.mtx
sed -e 's/mass: .*/mass: {file: M.mtx}/' -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 9, max_simplexes: 40}/' "$tp1" >pack/problem.yaml
echo 'checkpoint: {seconds: 0}' >>pack/problem.yaml
echo '{"format": 1, "command": "control", "settings": ["model.friction=8"], "file": "of/mine.yaml"}' >pack/job.json
code=0
STICTION_SLOWER=0 "$PROGRAM" control pack/problem.yaml --set model.friction=8 -o whole/pack -q || code=$?
that "the packed job by hand (exit $code)" test "$code" -eq 0 -o "$code" -eq 3

# --- 17 long jobs for 16 places, short ones, a packed one
export STICTION_SLOWER=1
sed -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 48, max_simplexes: 100000, restarts: 1000, tolerance: 1e-300, accept: 1e-300}/' \
  -e 's/^control:/control:\n  signal: {kind: piecewise_constant, segments: 8}/' "$tp1" >endless.yaml
for k in $(seq 17); do submit here endless.yaml "long$k.yaml"; done
mpi_exec 3 "$PROGRAM" serve here --turn 1 >log 2>err &
service=$!
that "16 have begun" soon 60 searching 16
sed 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 9, max_simplexes: 20}/' "$tp1" >short.yaml
given short.yaml
mv short.yaml here/incoming/short.yaml
given pack
cp -a pack bad
ln -s "$PWD/pack/M.mtx" bad/link.mtx
given bad
mv bad here/incoming/bad
cp -a pack pack2
mv pack2 here/incoming/pack
that "a short one is done while they run" soon 60 logged ' short: done: target [a-z ]*met .*, J [0-9.]+, E1 .*, [0-9.]+ s$'
that "so is a packed one" soon 60 logged ' pack: done'
# the seventeenth begins when another one has had its turn
long_ones() { [ "$(find here/running -maxdepth 1 -name 'long*' | wc -l)" -eq 17 ]; }
that "the long ones run, or wait for their turn" soon 30 long_ones
that "a job that had a turn has paused" soon 30 logged ' long[0-9]+: pauses'
that "the packed one: the bytes of control" cmp <(stripped whole/pack) <(stripped here/done/pack)
that "what it came as is gone" absent here/done/pack/.package
has here/failed/bad/error.txt 'link.mtx: a link'
that "status.json lists 16" soon 5 eval "[ \"\$(jq '.running | length' here/status.json)\" -eq 16 ]"
that "and their submitters" test "$(jq -r '[.running[] | select(.name | startswith("long")) | .submitter] | unique[]' here/status.json)" = "$(id -un)"

# --- low priority: it waits, and is cancelled there
mkdir low
cp "$tp1" low/problem.yaml
echo '{"format": 1, "priority": -50}' >low/job.json
mv low here/incoming/low
cancel here low
that "cancelled while it waited" soon 20 test -e here/cancelled/low/.package/problem.yaml
that "it is logged" logged " low: cancelled while it waited, by $(id -un)"

# --- running ones: cancelled by another, by their submitter; taken away
if root_user; then
  code=0
  as 65534 env HOME="$PWD" TMPDIR=/tmp "$PROGRAM" cancel here long2 >out 2>err || code=$?
  that "the command exits with 2 ($code)" test "$code" -eq 2
  has err 'long2: refused by the service .see its log.$'
  that "not by another" soon 20 logged ' long2: is not cancelled: the job belongs to another user, not to nobody'
  that "it goes on" runs long2
fi
cancel here long3
that "by its submitter" soon 30 test -e here/cancelled/long3/summary.json
that "its results tell" test "$(jq -r .outcome.reason here/cancelled/long3/summary.json)" = cancelled
that "attempts are no result" absent here/cancelled/long3/attempts.json
that "no cancel request is left" test "$(find here/incoming -name '*.cancel' | wc -l)" -eq 0
rm -rf here/running/long4 2>/dev/null || rm -rf here/running/long4
that "a job without its folder" soon 30 logged ' long4: (cancelled: its folder has been taken away|failed)'
cancel here nothing
that "a cancel request without a job" soon 20 logged ' nothing: is no job'

# --- the folders themselves
mv here/done gone
that "done/ is made again" soon 20 test -d here/done
mv here/incoming gone/incoming
that "so is incoming/" soon 20 test -d here/incoming
submit here "$tp1" again.yaml
that "and looked into" soon 60 test -e here/done/again/summary.json
rm -f here/status.json
mkdir here/status.json
touch here/status.json/file
sleep 1.5
that "it lives on without status.json" kill -0 "$service"
rm -rf here/status.json
that "which is there again" soon 10 test -f here/status.json

# --- the rest is cancelled; counts go on
for k in $(seq 17); do ! runs "long$k" || cancel here "long$k"; done
nothing_runs() { [ "$(count here/running)" -eq 0 ]; }
that "all are cancelled" soon 90 nothing_runs
touch here/stop
code=0
wait "$service" || code=$?
that "it ends with 0 (exit $code)" test "$code" -eq 0
before=$(jq -c '[.all.done, .all.failed, .all.cancelled]' here/status.json)
that "counts: $before" test "$(jq '.all.done + .all.failed + .all.cancelled' here/status.json)" -eq 22
submit here "$tp1" last.yaml
for k in $(seq 10 40); do touch "here/incoming/absent$k.cancel"; done
echo 'an important file' >here/incoming/last.cancel
expect 0 mpi_run 2 "$PROGRAM" serve here --drain
that "no cancel request stays behind for a later job" test "$(ls here/incoming)" = last.cancel
that "a non-empty file is no cancel request" test -e here/done/last -a -s here/incoming/last.cancel
has err 'incoming/last.cancel: not a request to cancel \(expected an empty file\)$'
that "20 lines of cancel requests without a job" test "$(grep -c 'is no job, which could be cancelled' out)" -eq 20
has out ' incoming: 11 more requests to cancel were rejected$'
rm here/incoming/last.cancel
that "they go on" test "$(jq '.all.done' here/status.json)" -eq $(($(jq '.[0]' <<<"$before") + 1))
that "those of this service" test "$(jq '.done' here/status.json)" -eq 1

# --- one that cannot even have messages stays: what was to be drained is not
mkdir -p left/incoming left/running/a/messages.txt
cp "$tp1" left/running/a/problem.yaml
expect 70 mpi_run 1 "$PROGRAM" serve left --drain
that "the job stays" test -e left/running/a/problem.yaml

# --- which user may read which file
if root_user && as 65534 test -x .; then
  that "results are the submitter's" as 65534 test -r gone/short/summary.json
  that "no other user's" test "$(as 65533 test -r gone/short/summary.json || echo no)$(as 65534 test -r here/done/last/summary.json || echo no)" = nono
  that "nor is the lock" test "$(as 65534 test -r here/lock || echo no)" = no
fi
every_summary here gone
[ -z "${KEEP:-}" ] || cp -a . "$KEEP"
verdict
