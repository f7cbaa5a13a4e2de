#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A named pipe without a writer, in place of any file that is read, is refused at once with one error.
#   usage: tests/program/pipes.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml

# refused PATTERN ARGUMENTS of stiction...: within a few seconds
refused() {
  local pattern=$1
  shift
  expect 2 timeout 20 "$PROGRAM" "$@"
  has err "$pattern"
  that "one error: $*" test "$(wc -l <err)" -eq 1
}
# piped FILE COMMAND...: with a pipe in place of FILE, which is put back
piped() {
  local file=$1
  shift
  mv "$file" kept
  mkfifo "$file"
  "$@"
  rm "$file"
  mv kept "$file"
}

mkfifo pipe
cat >sparse.yaml <<'END'
model: {kind: friction, matrices: sparse, mass: 1, stiffness: {file: pipe}, friction: [1, 2], v0: 1}
time: {end: 1, step: 0.1}
END
for command in check simulate control; do refused '^pipe: document: is not a file$' $command pipe; done
refused 'model.mass: .*pipe.* is not a file' check "$tp1" --set "model.mass={file: $PWD/pipe}"
refused 'model.stiffness: "pipe" is not a file$' check sparse.yaml

expect 0 "$PROGRAM" control "$tp1" -o found --set search.scheme_size=16 --set search.penalty=P
from=(control "$tp1" -o no --set "control.start={from: $PWD/found}")
piped found/summary.json refused 'control.start.from: .*/found/summary.json:1:1: is not a file$' "${from[@]}"
piped found/summary.json refused 'summary.json:1:1: is not a file' simulate "$tp1" -o no --control found
for file in summary.json trajectory.csv refined/energy.csv refined/events.csv search.csv; do
  piped found/$file refused "^stiction plot: found/$file:.* is not a file\$" plot found
done
that "no directory is left" absent no

expect 0 "$PROGRAM" simulate "$tp1" -o hdf5 --set output.format=hdf5
piped hdf5/trajectory.h5 refused '^stiction plot: hdf5/trajectory.h5: is not a file$' plot hdf5

"$PROGRAM" control "$tp1" -o stopped --set search.scheme_size=256 --set search.max_simplexes=12 \
  --set checkpoint.seconds=0 --set time.step=0.0005 >out 2>err &
run=$! code=0
that "it is under way" soon 20 rows 4 stopped/search.csv
kill -TERM "$run"
wait "$run" || code=$?
that "it has stopped (exit $code)" test "$code" -eq 85
piped stopped/checkpoint/run.json refused 'checkpoint/run.json:1:1: is not a file' resume stopped
piped stopped/checkpoint/problem.yaml refused 'checkpoint/problem.yaml: document: is not a file' resume stopped
piped stopped/search.csv refused 'stopped/search.csv: ' resume stopped
that "there are two generations" test -f stopped/checkpoint/state.0 -a -f stopped/checkpoint/state.1
rm stopped/checkpoint/state.0
mkfifo stopped/checkpoint/state.0
expect 3 timeout 60 "$PROGRAM" resume stopped --quiet
has err 'state.0: truncated'
verdict
