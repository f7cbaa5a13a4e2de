#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Work before the first step: estimated, refused beyond --max-seconds and --max-memory, by a service always; shown otherwise,
# and ended by Ctrl-C.
#   usage: tests/program/limits.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

long=$(printf 'sin(exp(cos(t)))+%.0s' {1..200})0
cat >table.yaml <<END
model: {kind: friction, mass: 1, friction: 1, x0: 1, force: "$long"}
time: {end: 1, steps: 100000000}
control: {target: {position: 0}}
END
matrix() { # N: a full matrix
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { printf "%s[", i ? "," : "["; for (j = 0; j < n; j++) printf "%s%d", j ? "," : "", i == j ? n : 1; printf "]" } print "]" }'
}
printf 'model: {kind: friction, mass: %s}\ntime: {end: 1, steps: 4}\ncontrol: {target: {position: 0}}\n' "$(matrix 300)" >dense.yaml
fractions=$(printf '1/3,%.0s' {1..50000})
printf 'model: {kind: friction, mass: [%s]}\ntime: {end: 1, steps: 4}\n' "$fractions" >fractions.yaml

ones=$(printf '1,%.0s' {1..1000})
printf 'model: {kind: friction, mass: [%s], stiffness: {springs: [%s1]}}\ntime: {end: 1, steps: 4}\ncontrol: {target: {position: 0}}\n' "$ones" "$ones" >springs.yaml

# refused FILE PATTERN ARGUMENTS...: by each command, at once, in one line
refused() {
  local file=$1 pattern=$2 command
  shift 2
  for command in check "simulate -o out-of" "control -o out-of"; do
    # shellcheck disable=SC2086
    expect 2 timeout 100 "$PROGRAM" $command "$file" "$@"
    has err "$pattern"
    that "one error: $command $file $*" test "$(wc -l <err)" -eq 1
    that "$command $file leaves nothing" absent out-of
  done
}
seconds='about [0-9.e+]+ s of work before the first step \(expected at most [0-9.]+ s, --max-seconds\)$'
memory='about [0-9.]+e?-?[0-9]* GiB of memory \(expected at most 0\.000977 GiB here, --max-memory\)$'
refused table.yaml "^table.yaml:1:[0-9]+: model.force: the force at 100000001 times: $seconds" --max-seconds 60
refused dense.yaml "^dense.yaml:1:8: model: eigenvalues of dense matrices: $seconds" --max-seconds 0.05
refused dense.yaml "^dense.yaml:1:8: model: what the file holds: $memory" --max-memory 1M
refused springs.yaml "^springs.yaml:1:[0-9]+: model.mass: 1000 degrees of freedom: $memory" --max-memory 1M
expect 2 "$PROGRAM" converge dense.yaml --max-seconds 0.05
has err "^dense.yaml:1:8: model: eigenvalues of dense matrices: $seconds"
expect 2 "$PROGRAM" check fractions.yaml --max-seconds 0.05
has err "^fractions.yaml:1:[0-9]+: model.mass\[[0-9]+\]: expressions: $seconds"
expect 0 "$PROGRAM" check dense.yaml --max-seconds 60 --max-memory 1G
expect 0 "$PROGRAM" check springs.yaml --max-seconds 5 # a narrow band is soon looked at
for wrong in 0 -1 x 1x nan inf 0x1 ''; do
  expect 2 "$PROGRAM" check dense.yaml --max-seconds "$wrong"
  has err '^stiction check: --max-seconds expects a positive number, not '
done
for wrong in 0G 1P G 1GB; do
  expect 2 "$PROGRAM" check dense.yaml --max-memory "$wrong"
  has err '^stiction check: --max-memory expects a size like 500M or 4G, not '
done

# the motion itself in finer steps has the same limits: the run is not kept from its answer
printf 'model: {kind: friction, mass: [1, 1], matrices: sparse, friction: 1, x0: 1, force: "%s"}\ntime: {end: 1, steps: 8000}\n' "$long" >finer.yaml
expect 0 "$PROGRAM" simulate finer.yaml --verify --max-seconds 0.2 -o out-finer
has out "^the motion itself is not known: the force at every node: $seconds"

# without a limit: shown, and the first Ctrl-C ends it
for command in check simulate; do
  # INT may be ignored here: in the background by this shell, and by what has started it
  rm -f err
  env --default-signal=INT "$PROGRAM" $command table.yaml --progress 2>err >out &
  pid=$!
  that "$command shows how far it is" soon 60 grep -q 'model.force: [0-9]* %' err
  kill -INT $pid
  that "$command ends on Ctrl-C" soon 60 gone $pid # by itself after many minutes
  kill -KILL $pid 2>/dev/null
  wait $pid
  that "$command is ended by it ($?)" test $? -ne 137
done

# a service has limits always, and may be given others
serves() { # OPTIONS...
  rm -rf spool
  mkdir -p spool/incoming
  cp dense.yaml table.yaml spool/incoming
  expect 0 mpi_run 2 "$PROGRAM" serve spool --drain "$@"
}
serves --max-seconds 0.05
has spool/failed/dense/error.txt "^dense.yaml:1:8: model: eigenvalues of dense matrices: $seconds"
serves
has spool/failed/table/error.txt "^table.yaml:1:[0-9]+: model.force: the force at 100000001 times: $seconds"
that "the other is searched" test -e spool/done/dense/summary.json

# so many variables, and no file but those beside the problem, by whatever name
tp1=$problems/tp1.yaml segments='control.signal={kind: piecewise_constant, segments: 4}'
expect 0 "$PROGRAM" check "$tp1" --max-variables 12 --set "$segments" -q
expect 2 "$PROGRAM" check "$tp1" --max-variables 11 --set "$segments" -q
has err 'tp1.yaml:15:3: control: 12 variables \(expected at most 11, --max-variables\)'
mkdir -p inside/deeper
cp "$tp1" inside/
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 2 5\n3 3 6\n' | tee inside/M.mtx inside/deeper/M.mtx >M.mtx
ln -s ../M.mtx inside/link.mtx
for file in M.mtx ./M.mtx "$PWD/inside/M.mtx"; do expect 0 "$PROGRAM" check inside/tp1.yaml -q --confined --set "model.mass={file: $file}"; done
for file in ../M.mtx deeper/M.mtx link.mtx /etc/passwd missing.mtx ..; do
  expect 2 "$PROGRAM" check inside/tp1.yaml -q --confined --set "model.mass={file: $file}"
  has err "\"$file\" is not in this file's folder, to which reading is confined"
done
expect 2 "$PROGRAM" check inside/tp1.yaml -q --confined --set 'control.start.from=../results'
has err 'control.start.from: a directory that reading is not confined to'
verdict
