#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The service and its page are killed (SIGKILL) in turn, at random instants, while jobs of all commands are submitted in all ways, and some are
# cancelled: every job with an answered name ends in one place, once, with the bytes of its command, and nothing else is left.
#   usage: tests/ranks/serve_kills.sh PROGRAM [KILLS [SEED]]      one with slow_evaluations.c: searches last a second or more, asleep
set -uo pipefail
PROGRAM=$1 kills=${2:-5} RANDOM=${3:-1}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
mkdir whole pages
export TMPDIR=$PWD/pages # the page's

# --- what is submitted, as KIND/problem.yaml and files beside it, and by hand whole/KIND
declare -A commands=([simulated]=simulate [swept]=sweep [fitted]=identify) # else control
vary=model.friction=1:12:40 # of the sweep
kinds=(ranks0 swept packed process fitted simulated ranks1)
alone=(ranks0 simulated process swept ranks1) # what is one file
for kind in "${kinds[@]}"; do mkdir "$kind"; done
for k in 0 1; do lasting "$k" >"ranks$k/problem.yaml"; done
sed 's/^search:.*/search: {method: nlopt:cobyla}/; s/^control:/control:\n  bounds: {lower: -1000}/' "$problems/tp1.yaml" >process/problem.yaml
cp "$problems/shiau-6.3.yaml" simulated/problem.yaml
sed 's/^time: .*/time: {end: 4, steps: 50000}/' "$problems/shiau-6.3.yaml" >swept/problem.yaml
sed 's/mass: .*/mass: {file: M.mtx}/' ranks0/problem.yaml >packed/problem.yaml
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 2 5\n3 3 6\n' >packed/M.mtx
cp "$problems/identify.yaml" fitted/problem.yaml
cp "$problems/identify.csv" fitted/

command_of() { echo "${commands[$1]:-control}"; }
# options_of KIND: into the list options
options_of() { if [ "$1" = swept ]; then options=(--vary "$vary"); else options=(); fi; }
# the files of a run that are to have the same bytes
bytes() {
  case $1 in
    swept) cat "$2/sweep.csv" ;;
    fitted) cat "$2/fit.csv" ;;
    *) stripped "$2" ;;
  esac
}
for kind in "${kinds[@]}"; do
  options_of "$kind"
  STICTION_SLOWER=0 "$PROGRAM" "$(command_of "$kind")" "$kind/problem.yaml" "${options[@]}" -o "whole/$kind" -q 2>err
  bytes "$kind" "whole/$kind" >"whole/$kind.txt"
  that "$kind by hand" test -s "whole/$kind.txt"
  # what its folder is as a packed job
  printf '%s\n' "$(command_of "$kind")" "${options[@]}" | jq -Rn '[inputs] | {format: 1, command: .[0], options: .[1:]}' >"$kind/job.json"
done
export STICTION_SLOWER=6

# --- the service, the page, and their clients
start_service() {
  mpi_exec 3 "$PROGRAM" serve spool >>log 2>&1 &
  service=$!
}
start_page() {
  : >page
  "$PROGRAM" web spool --listen 127.0.0.1:0 >page 2>>page.err &
  page=$!
}
# ask METHOD PATH [FILE]: the answer of the page; nothing where it is not there
ask() (
  exec 3<>"/dev/tcp/127.0.0.1/$(sed 's/.*:\([0-9]*\).*/\1/' page)" || exit
  printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %d\r\n\r\n' "$1" "$2" "$(cat ${3:+"$3"} </dev/null | wc -c)" >&3
  [ -z "${3:-}" ] || cat "$3" >&3
  timeout 30 cat <&3
)

# by_WAY KIND NAME: submits it, and prints its name if that was answered
by_command() { options_of "$1" && "$PROGRAM" submit spool "$1/problem.yaml" --name "$2" --command "$(command_of "$1")" "${options[@]}"; }
by_rename() {
  case $1 in
    ranks?) submit spool "$1/problem.yaml" "$2.yaml" ;;
    *) cp -a "$1" part && mv -T part "spool/incoming/$2" ;;
  esac && echo "$2"
}
by_page() {
  options_of "$1"
  ask POST "/jobs?name=$2.yaml&command=$(command_of "$1")${options[1]:+&vary=${options[1]}}" "$1/problem.yaml" | tail -1 | jq -er .name
}
cancel_by_command() { "$PROGRAM" cancel spool "$1"; }
cancel_by_rename() { touch part && mv part "spool/incoming/$1.cancel"; }
cancel_by_page() { ask DELETE "/jobs/$1"; }

# Submits one job after another, and cancels every fourth, until there are some of all kinds and a file `enough`. tried: NAME KIND of all; answered, to_cancel: NAME
ways=(page rename command)
submit_all() {
  local k kind way name
  for ((k = 0; k < 1000; k++)); do
    [ ! -e enough ] || [ "$k" -lt $((${#ways[@]} * ${#kinds[@]})) ] || break
    way=${ways[k % 3]} kind=${kinds[k / 3 % ${#kinds[@]}]}
    [ "$way" != page ] || kind=${alone[k / 3 % ${#alone[@]}]}
    name=$way$k-$kind
    echo "$name $kind" >>tried
    if "by_$way" "$kind" "$name" >>answered 2>>asked.err && [ $((k % 4)) -eq 3 ]; then
      sleep "0.$((RANDOM % 7))" # it may have begun
      echo "$name" >>to_cancel
      "cancel_by_${ways[k / 4 % 3]}" "$name" >>cancelled.out 2>>asked.err
    fi
    sleep "0.$((RANDOM % 5))"
  done
}

# --- kills
expect 0 "$PROGRAM" serve spool --init
touch tried answered to_cancel
start_service
start_page
submit_all &
submitting=$!
declare -A hits=([service]=0 [page]=0)
for ((k = 0; k < kills; k++)); do
  sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
  if [ $((k % 2)) -eq 0 ]; then
    victim=''
    case $((RANDOM % 3)) in 1) victim=$(rank_pid spool 0) ;; 2) victim=$(rank_pid spool 1) ;; esac # else mpirun, also where they are not there yet
    that "the service is there to be killed" kill -KILL "${victim:-$service}" && hits[service]=$((hits[service] + 1))
    outlast "$service" 20
    start_service
  else
    that "the page is there to be killed" kill -KILL "$page" && hits[page]=$((hits[page] + 1))
    outlast "$page"
    start_page
  fi
done
touch enough
wait "$submitting"

# --- what is left
there() { find spool/incoming spool/running -mindepth 1 -maxdepth 1 -not -name '.*'; }
nothing_left() { [ -z "$(there)" ]; }
that "every submitted job has ended, and no cancel request is left" soon 150 nothing_left || there >&2
# ours: the processes that work here
ours() {
  local p
  for p in $(pgrep -f "^($PROGRAM|stiction|mpirun) "); do case $(readlink "/proc/$p/cwd") in "$scratch"*) echo "$p" ;; esac done
}
that "no zombie" test -z "$(pgrep -r Z -P "$(ours | paste -sd,)")"
signalled TERM 0 "$page"
stopped() { touch spool/stop && gone "$service"; } # one that has just been killed may still take the file
that "SPOOL/stop ends the service" soon 30 stopped
rm -f spool/stop
code=0
wait "$service" || code=$?
that "with 0 (exit $code)" test "$code" -eq 0
that "nothing is left running" test -z "$(ours)"
find spool/incoming -path '*/.page*' -exec touch -d '2 days ago' {} + # what a page was writing when it was killed: the service clears that after a day
expect 0 mpi_run 1 "$PROGRAM" serve spool --drain -q
that "no temporary file in the spool" test -z "$(find spool -name '.*' -not -path 'spool/cancelled/*/.package' -o -name '*.part' -o -name probe -o -name attempts.json)"

that "it counts what ended in the last second before a kill, too" test "$(jq -c '[.all.done, .all.failed, .all.cancelled]' spool/status.json)" = "[$(count spool/done),$(count spool/failed),$(count spool/cancelled)]"
find spool/done spool/failed spool/cancelled -mindepth 1 -maxdepth 1 >ended
done=0 cancelled=0
declare -A kinds_done=()
while read -r name kind; do
  mapfile -t places < <(grep "/$name\$" ended)
  case ${#places[@]},${places[0]:-} in
    1,spool/done/*)
      that "$name: the bytes of the command" cmp -s "whole/$kind.txt" <(bytes "$kind" "${places[0]}")
      done=$((done + 1))
      kinds_done[$kind]=1
      ;;
    1,spool/cancelled/*)
      that "$name: was to be cancelled" grep -qx "$name" to_cancel
      cancelled=$((cancelled + 1))
      ;;
    0,) that "$name was answered, and is nowhere" test -z "$(grep -x "$name" answered)" ;;
    *) fail "$name is in ${places[*]}" ;;
  esac
done <tried
that "nothing but what was submitted" test "$(sed 's|.*/||' ended | sort)" = "$(sed 's|.*/||' ended | sort | join - <(cut -d' ' -f1 tried | sort))"
that "jobs of all kinds are done, not only of ${!kinds_done[*]}" test "${#kinds_done[@]}" -eq "${#kinds[@]}"
echo "${hits[service]} kills of the service, ${hits[page]} of the page; $(wc -l <tried) jobs, $(wc -l <answered) of them answered:" \
  "$done done, $cancelled cancelled of $(wc -l <to_cancel) requests"
[ -z "${KEEP:-}" ] || cp -a . "$KEEP"
verdict
