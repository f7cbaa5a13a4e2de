#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Results are written to the intended files only: not through links, into pipes, or into a file that took the place of a closed
# stream; a checkpoint has checksums of the files that it relies on; a file that cannot grow and a folder that is gone are reported.
#   usage: tests/program/written_files.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml
search=(--quiet --set search.scheme_size=256 --set search.max_simplexes=12 --set checkpoint.seconds=0 --set time.step=0.0005)

# --- closed standard streams: nothing but rows in the results
closed() { "$@" <&- >&- 2>&-; }
expect 0 closed "$PROGRAM" control "$tp1" -o closed --set search.scheme_size=16
that "search.csv has rows alone" test -z "$(tail -n +2 closed/search.csv | grep -vE '^[0-9]+(,[-+.0-9a-z]+){10}$')"
that "the lock is empty" test ! -s closed/checkpoint/lock
expect 2 closed "$PROGRAM" control "$tp1" -o closed

# --- a run that was stopped, and a simulation
"$PROGRAM" control "$tp1" -o stopped "${search[@]}" >out 2>err &
that "it is under way" soon 20 rows 4 stopped/search.csv
signalled TERM 85 $!
# the simulation by a disk that is full: files of up to 100 KiB stand for one
limited() { (ulimit -f 100 && exec "$PROGRAM" simulate "$tp1" --quiet --set time.step=0.0005 "$@"); }
expect 70 limited -o motion --set checkpoint.seconds=0
that "a checkpoint is there" test -e motion/checkpoint/state.1

# --- a user that may read a lock file may hold the lock
that "no other user may lock" test "$(stat -c %a stopped/checkpoint/lock)" = 600
chmod 666 stopped/checkpoint/lock
expect 2 "$PROGRAM" resume stopped --elastic 2
that "also one of an older version" test "$(stat -c %a stopped/checkpoint/lock)" = 600

# --- what a checkpoint relies on, with one bit changed
flipped() { # FILE OFFSET
  rm -rf bad
  cp -r "${1%%/*}" bad
  /usr/bin/python3 - "bad/${1#*/}" "$2" <<'END'
import sys
with open(sys.argv[1], "r+b") as file:
    file.seek(int(sys.argv[2]))
    byte = file.read(1)[0]
    file.seek(-1, 1)
    file.write(bytes([byte ^ 1]))
END
  expect 2 "$PROGRAM" resume bad --quiet
  has err "^stiction resume: bad/${1#*/}: has been changed since the checkpoint was written\$"
}
flipped stopped/search.csv 3
flipped stopped/search.csv $(($(sed -n 1,3p stopped/search.csv | wc -c) - 3))
for file in trajectory energy events; do flipped "motion/$file.csv" 40; done

# --- every byte of the saved problem counts, also of what no answer depends on
rm -rf bad
cp -r stopped bad
that "it says how often checkpoints are written" grep -q seconds bad/checkpoint/problem.yaml
sed -i 's/"seconds": [0-9.e+-]*/"seconds": 59.5/' bad/checkpoint/problem.yaml
that "this is another number now" test "$(cmp -s {stopped,bad}/checkpoint/problem.yaml; echo $?)" = 1
expect 2 "$PROGRAM" resume bad --quiet
has err '^stiction resume: bad/checkpoint/problem.yaml: has been changed since the run began$'

# --- a name that is not UTF-8, which no results can hold
cp "$tp1" $'no-\xff.yaml'
expect 2 "$PROGRAM" control $'no-\xff.yaml' -o nameless
has err 'not text in UTF-8'
that "nothing is written" absent nameless

# --- links and pipes in place of what is written: neither followed nor waited for
hostile() { # PATTERN DIR FILE COMMAND...
  local pattern=$1 dir=$2 file=$3 kind
  shift 3
  for kind in pipe link twin; do
    rm -rf bad
    cp -r "$dir" bad
    echo mine >victim
    case $kind in
      pipe) rm -f "bad/$file" && mkfifo "bad/$file" ;;
      link) rm -f "bad/$file" && ln -s ../victim "bad/$file" ;;
      twin) rm -f "bad/$file" && ln victim "bad/$file" ;;
    esac
    checks=$((checks + 1))
    timeout 20 "$@" >out 2>err
    case $? in 2 | 70) ;; *) fail "a $kind as $file: exit $? of $*" ;; esac
    has err "$pattern"
    that "a $kind as $file: the victim is whole" test "$(cat victim)" = mine
  done
}
wrong='is not a file|is a link|has another name'
for file in trajectory energy events; do
  hostile "bad/$file.csv: ($wrong)" motion "$file.csv" "$PROGRAM" resume bad --quiet
done
hostile "bad/search.csv: ($wrong)" stopped search.csv "$PROGRAM" resume bad --quiet
rm -rf bad
expect 0 "$PROGRAM" simulate "$tp1" -o drawn --quiet
mkdir drawn/figures
hostile "figures/energy.svg.part: ($wrong)" drawn figures/energy.svg.part "$PROGRAM" plot bad

"$PROGRAM" simulate "$tp1" -o hdf5 --quiet --set time.step=0.0000005 --set 'output={format: hdf5, every: 1000}' \
  --set checkpoint.seconds=0.01 >out 2>err &
that "a checkpoint is there" soon 20 test -e hdf5/checkpoint/state.1
signalled TERM 85 $!
damaged() { # OFFSET: with a byte of its heads changed HDF5 crashes
  rm -rf bad
  cp -r hdf5 bad
  printf '\x80' | dd of=bad/trajectory.h5 bs=1 seek="$1" conv=notrunc status=none
  expect 2 "$PROGRAM" resume bad --quiet
  has err '^stiction resume: bad/trajectory.h5: does not hold all that it held when the checkpoint was written$'
}
damaged 1033
hostile "bad/trajectory.h5: ($wrong)" hdf5 trajectory.h5 "$PROGRAM" resume bad --quiet
rm -rf bad
cp -r stopped bad
ln -s ../../victim bad/checkpoint/state.part
expect 3 "$PROGRAM" resume bad --quiet
that "a link as state.part: the victim is whole" test "$(cat victim)" = mine

# --- links in place of the folders in a results folder: nothing is written, removed or locked where they lead to
mkdir -p elsewhere/0
echo mine | tee elsewhere/run.json elsewhere/state.0 elsewhere/energy.svg elsewhere/trajectory.csv elsewhere/0/input >victim
chmod 644 elsewhere/*.*
cp -r elsewhere elsewhere-before
for folder in checkpoint exact figures points runs; do
  rm -rf bad
  cp -r stopped bad
  rm -rf "bad/$folder"
  ln -s ../elsewhere "bad/$folder"
  for command in "simulate $tp1 --force -o bad" "control $tp1 --force -o bad --set search.max_simplexes=1" "resume bad"; do
    # shellcheck disable=SC2086
    expect 2 "$PROGRAM" $command --quiet
    has err "^stiction [a-z]+: bad/$folder: is a link \\(expected a folder\\)\$"
    that "$folder as a link: one message of $command" test "$(wc -l <err)" -eq 1
  done
  that "$folder as a link: nothing is changed behind it" diff -r elsewhere elsewhere-before
  that "nothing of the results is removed" test -s bad/search.csv
done
rm -r bad elsewhere

# --- the numbers of a matrix, not its file's name, are a part of a run, beside viscous friction, too
matrix() { printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 %s\n2 2 0.2\n' "$1"; }
cat >drag.yaml <<'END'
model: {kind: friction, mass: [1, 2], damping: {file: D.mtx}, viscous: 0.1, friction: 0.5, v0: 1}
time: {end: 1, step: 0.01}
scheme: {name: event}
control: {target: {velocity: [0, null]}, matrix: [[1], [0]]}
END
matrix 0.2 >D.mtx
expect 0 "$PROGRAM" control drag.yaml -o drag --quiet
that "its numbers are in the summary" jq -e '.problem.model.damping == [0.2, 0.2]' drag/summary.json >/dev/null
jq 'del(.exit)' drag/checkpoint/run.json >run.json && mv run.json drag/checkpoint/run.json
matrix 0.3 >D.mtx
expect 2 "$PROGRAM" resume drag --quiet
has err 'model.damping: \[0\.29*,0\.20*1\], but \[0\.20*1,0\.20*1\] when the run began'
matrix 0.2 >D.mtx
expect 0 "$PROGRAM" resume drag --quiet

# --- a file that may not grow is a full disk (resume.sh has that of a checkpoint)
expect 70 limited -o limited
has err 'limited/trajectory.csv: could not be written in full'

# --- results that are gone while they are written
gone_while() { # DIR FILE COMMAND...: exit 70, and no word of going on
  local dir=$1 file=$2
  shift 2
  "$@" >out 2>err &
  that "$dir is under way" soon 20 rows 4 "$dir/$file"
  mv "$dir" elsewhere
  signalled TERM 70 $!
  has err 'No such file or directory'
  that "nothing to go on with" test "$(grep -cE 'goes on|intact' err)" -eq 0
  rm -rf elsewhere
}
gone_while gone-1 search.csv "$PROGRAM" control "$tp1" -o gone-1 "${search[@]}" --set checkpoint.seconds=1000
gone_while gone-2 search.csv "$PROGRAM" control "$tp1" -o gone-2 "${search[@]}"
gone_while gone-3 trajectory.csv "$PROGRAM" simulate "$tp1" -o gone-3 --quiet --set time.step=0.00001 --set output.every=50
verdict
