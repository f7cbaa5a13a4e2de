#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Calls that fail (preload.c), one run each: a disk that is full or broken, reads and writes cut short or interrupted, no
# memory, messages that cannot be sent. Whatever fails, a run ends with the answer of one that nothing happened to, or with an
# exit code and a message that say so; what it leaves can be gone on with, or be made anew.
#   usage: tests/faults/faults.sh PROGRAM PRELOAD [COUNT [SEED]]      so many runs (100), chosen by SEED (1)
#          tests/faults/faults.sh PROGRAM PRELOAD all [PATTERN [STEP]]     every call of `COMMAND CALL:ERROR LIBRARY` that match:
#                                                                     '^simulate malloc' (an hour or two: all); or every STEP-th
set -uo pipefail
PROGRAM=$1 PRELOAD=$2 count=${3:-100} seed=1 pattern=. step=${5:-1}
if [ "$count" = all ]; then pattern=${4:-.}; else seed=${4:-1}; fi
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
cp "$problems/tp1.yaml" tp1.yaml
# As small as it can be: each allocation is a run. What tp1's expressions need of memory fails in `check` alone.
cat >small.yaml <<'END'
model: {kind: friction, mass: [1], stiffness: [[1]], friction: 0.5, force: 1, x0: 1, v0: 1}
time: {end: 1, steps: 2}
scheme: {name: centered, multiplier: regularized}
control: {weight: 1, target: {position: [2]}}
search: {method: pds, penalty: Pi, scheme_size: 2, max_simplexes: 5}
checkpoint: {seconds: 0}
END
# likewise small: one number of it, from two rows of its motion
{ grep -vE '^(control|search|checkpoint):' small.yaml && printf 'identify: {model.friction: {lower: 0.1, upper: 1}, starts: 1}
measured: {file: measured.csv, deviation: {position: 0.01}}\n'; } >found.yaml
printf 't,x1\n0,1\n1,1.66\n' >measured.csv
# and a user's program, run a few times
cat >tin.yaml <<'END'
evaluator: {command: "awk '{ print ($2 - 1) ^ 2 }'", variables: [{name: x, start: 0}]}
search: {method: pds, scheme_size: 2, max_simplexes: 2}
checkpoint: {seconds: 0}
END
commands=(check simulate hdf5 verify control sqp sweep resume_control resume_verify identify search)
[ "$count" != all ] || commands+=(converge plot ranks)
faults="open:EMFILE open:EMFILE+ read:EIO read:EINTR read:short write:EIO write:ENOSPC+ write:EINTR write:short
  sync:EIO truncate:EIO rename:EIO close:EIO malloc:ENOMEM malloc:ENOMEM+ isend:EIO" # +: all that follow, too
libraries="yaml stdc" # malloc fails in these libraries, too
mkdir before

# tried NAME FAULT LIBRARY: whether such calls fail in such a run
tried() {
  [ -z "$3" ] || [ "${2%%:*}" = malloc ] || return 1
  [ "$1" != ranks ] || [[ "$2 $3" =~ ^(isend|malloc.* $) ]] || return 1
  [[ "$1 $2 $3" =~ $pattern ]]
}
# of NAME: the libraries, or -, that a run without faults is wanted for; none: it is not tried
libraries_of() {
  local fault library
  for library in "" $libraries; do
    for fault in $faults; do
      if tried "$1" "$fault" "$library"; then echo "${library:--}"; break; fi
    done
  done
}
mpi_settings 2

command_of() { # NAME: into `command`
  case $1 in
    check) command=(check tp1.yaml) ;;
    simulate) command=(simulate small.yaml -o run) ;;
    hdf5) command=(simulate small.yaml -o run --set output.format=hdf5) ;;
    verify) command=(simulate small.yaml -o run --verify --control 1) ;;
    control | ranks) command=(control small.yaml -o run) ;;
    sqp) command=(control small.yaml -o run --set search.method=sqp) ;;
    sweep) command=(sweep small.yaml -o run --keep --vary "model.friction=[0.5, 0.6]") ;;
    converge) command=(converge small.yaml -o run --schemes moreau --steps 2 --format csv) ;;
    search) command=(search tin.yaml -o run) ;;
    identify) command=(identify found.yaml -o run) ;;
    resume_*) command=(resume run) ;;
    plot) command=(plot run) ;;
  esac
}

# run NAME [VARIABLE=VALUE...]: once, from what before/NAME has, with what it says in out and err; its exit code in `code`
run() {
  local name=$1 launch=(env)
  shift
  rm -rf run
  [ ! -d "before/$name" ] || cp -r "before/$name" run
  command_of "$name"
  [ "$name" != ranks ] || launch=(mpirun --oversubscribe --bind-to none -n 2 env)
  code=0
  timeout 150 "${launch[@]}" "FAULT_UNDER=$PWD" "$@" "LD_PRELOAD=$PRELOAD" "$PROGRAM" "${command[@]}" \
    >out 2>err </dev/null || code=$?
}

summary() { jq -S 'del(.seconds, .utilisation, .ranks)' run/summary.json; }

# All that a run has left, but for what may differ between two runs.
left() {
  find run -type f ! -name lock 2>/dev/null | sort | while read -r file; do
    echo "== $file"
    case $file in
      run/summary.json) summary ;;
      */summary.json) jq -S 'del(.seconds, .utilisation, .ranks)' "$file" ;;
      */search.csv) cut -d, -f1-10 "$file" ;;
      */times.csv) cut -d, -f1 "$file" ;;
      */convergence.csv) cut -d, -f1-9 "$file" ;;
      *.h5) h5dump -m %.17g "$file" ;;
      *) cat "$file" ;;
    esac
  done
}
# All that it has said; a checkpoint that cannot be read has the other generation go on.
said() { sed -E 's/(^|, )[0-9.]+ s on [0-9]+ rank.*//; s/, [0-9.]+ s\)$/)/; s/,[0-9.]+$//; s/^going on from .*//' out; }


# stopped NAME BY: a run of NAME that a full disk ends at its BY-th write is what resume_NAME finds
stopped() {
  run "$1" "FAULT=write:ENOSPC:$2+"
  that "a full disk leaves $1 with a checkpoint" test "$code" -eq 70 -a -e run/checkpoint/state.0
  mv run "before/resume_$1"
}

# --- runs that nothing happens to: what they leave and say, and how often each call is made
stopped control 15
stopped verify 10
run sqp FAULT=open:EIO:0
mv run before/plot
declare -A good
for name in "${commands[@]}"; do
  for library in $(libraries_of "$name"); do
    library=${library#-}
    run "$name" FAULT=open:EIO:0 "FAULT_IN=$library" "FAULT_TALLY=$PWD/tally.$name.$library"
    good[$name]=$code
  done
  [ -n "${good[$name]+run}" ] || continue
  left >"left.$name"
  said >"said.$name"
  [ ! -e run/summary.json ] || summary >"summary.$name"
done

# every kind of fault in every command: NAME FAULT CALLS LIBRARY
kinds() {
  local name library fault calls
  for name in "${commands[@]}"; do
    for fault in $faults; do
      for library in "" $libraries; do
        tried "$name" "$fault" "$library" || continue
        calls=$(awk -v call="${fault%%:*}" '$1 == call { print $2 }' "tally.$name.$library")
        [ "$calls" -eq 0 ] || echo "$name $fault $calls $library"
      done
    done
  done
}
# those that are tried: NAME FAULT LIBRARY
chosen() {
  kinds | awk -v count="$count" -v seed="$seed" -v step="$step" '
    function one(row, k,    plus, fault) {
      split(row, part, " "); fault = part[2]; plus = sub(/\+$/, "", fault) ? "+" : ""
      print part[1], fault ":" k plus, part[4]
    }
    { row[NR] = $0; calls[NR] = $3 }
    END {
      srand(seed)
      if (count == "all") for (i = 1; i <= NR; i++) for (k = 1; k <= calls[i]; k += step) one(row[i], k)
      else while (count-- > 0) { i = 1 + int(rand() * NR); one(row[i], 1 + int(rand() * calls[i])) }
    }'
}

# again NAME WHAT: after a run that failed, another that nothing happens to goes on, or is refused and then made anew
again() {
  local name=$1 what=$2
  if [ -e run/checkpoint/run.json ] && [ "$name" != plot ]; then
    code=0
    timeout 60 "$PROGRAM" resume run >out 2>err || code=$?
    if [ "$code" -eq "${good[$name]}" ]; then
      # in a search that runs a program for each point, a program that could not be started is a failed point: the answer may differ, and the summary says so
      { [ "$name" = search ] && grep -q 'of the program failed' err; } || that "$what, resumed: leaves something else" cmp -s "left.$name" <(left)
      return
    fi
    that "$what, resumed: exit $code" test "$code" -eq 2 -a -s err -a "${name#resume}" = "$name"
  fi
  command_of "$name"
  case $name in plot | resume*) ;; *) command+=(--force) ;; esac
  code=0
  timeout 60 "$PROGRAM" "${command[@]}" >out 2>err || code=$?
  that "$what, made anew: exit $code" test "$code" -eq "${good[$name]}"
  that "$what, made anew: leaves something else" cmp -s "left.$name" <(left)
}

# untouched NAME: it has left what was there before
untouched() { if [ -d "before/$1" ]; then diff -rq "before/$1" run >/dev/null; else [ ! -e run ]; fi; }

# summary_is_right NAME: the summary is that of a whole run, or says that the search has failed
summary_is_right() { cmp -s "summary.$1" <(summary) || [ "$(jq -r .outcome.reason run/summary.json)" = failed ]; }

# judge NAME FAULT LIBRARY
judge() {
  local name=$1 what="$1 with $2${3:+ in $3}"
  run "$name" "FAULT=$2" "FAULT_IN=$3"
  if [ "$code" -eq "${good[$name]}" ]; then
    that "$what: exit $code, and says something else" cmp -s "said.$name" <(said)
    that "$what: exit $code, and leaves something else" cmp -s "left.$name" <(left)
    return
  fi
  refused=$((refused + 1))
  that "$what: exit $code" test "$code" -eq 2 -o "$code" -eq 70
  that "$what: exit $code without a word" test -s err
  [ ! -e run/summary.json ] || that "$what: its summary is neither whole nor says that the search failed" summary_is_right "$name"
  untouched "$name" || again "$name" "$what"
}

made=0 refused=0
while read -r name fault library; do
  made=$((made + 1))
  judge "$name" "$fault" "$library"
done < <(chosen)
# a problem that is read twice
if [ "$count" != all ]; then for ((k = 1; k < 200; k += 12)); do judge identify "malloc:ENOMEM:$k" ""; done; fi
that "some runs fail" test "$refused" -gt 0
run ranks FAULT=isend:EIO:5
that "a message that cannot be sent: exit $code" test "$code" -eq 70
has err 'MPI fails'
echo "$made runs: $((made - refused)) as if nothing had happened, $refused refused"
verdict
