#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The program's messages: which rank prints them, in which order they come, and that they are true.
#   usage: tests/program/messages.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# functions put what is wrong into Diagnostics; main alone prints, and says where; a file may be called so, too, and examples are mains
that "standard error is main's" test "$(grep -rnE 'stderr|perror|STDERR_FILENO' "$root/src" --include='*.[ch]' | grep -v 'stderr"' |
  grep -vE 'src/(main|figures/gnuplot|process/(child|process|program|settings)|package/examples/[a-z]+)\.c:')" = ''
for file in figures/gnuplot process/child; do
  that "$file's is a child's" test "$(grep -c 'stderr\|perror\|STDERR_FILENO' "$root/src/$file.c")" -eq 1
done
that "signals are main's" test "$(grep -rlE 'stop_signal_watch\(\)|sigaction' "$root/src" "$root/control" "$root/sim" |
  grep -vE 'src/(main|process/stop_signal)\.[ch]$')" = ''

# through one pipe, too, the summary comes before the message, which is last
cat >block.yaml <<'END'
model: {kind: friction, mass: 1, stiffness: 0, friction: 1, x0: [0]}
time: {end: 2, step: 0.005}
control:
  target: {position: [1], velocity: [0]}
  signal: {kind: piecewise_constant, segments: 4}
search: {method: hybrid, max_simplexes: 3}
END
"$PROGRAM" control block.yaml -o missed >both 2>&1
that "the message is last" test "$(tail -n 1 both | cut -d: -f1,2)" = 'stiction control: no control found that meets the target; nearest'
has both '^results in missed$'

# a round of hybrid is a simplex or a point of each local method; errors say what they are in
has both '^target not met \(budget\) after 3 rounds: '
has both ' E1 = .* \(position, m\)   E2 = .* \(velocity, m/s\)$'
expect 3 "$PROGRAM" control "$problems/tp1.yaml" -o cut --set search.max_simplexes=2
has out '^target not met \(budget\) after 2 simplexes: '
has out ' E1 = .* \(position, relative\)   E2 = 0.00e\+00 \(velocity, no target\)$'

# a long simulation prints its progress, on a terminal or on request
expect 0 "$PROGRAM" simulate block.yaml -o long --set time.step=1e-5 --progress
that "there is a progress line" grep -qE 'step [0-9]+ of 200000  t = ' err
expect 0 "$PROGRAM" simulate block.yaml -o quiet --set time.step=1e-5
that "no progress line on a pipe" test ! -s err
# an entry that a setting has changed is reported at the setting
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --set 'model.friction[2]=-3'
has err '^--set model.friction\[2\]=-3: model.friction: entry 2 is -3 '
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --set 'model.mass[2]=-1'
has err '^--set model.mass\[2\]=-1: model.mass: eigenvalues from -1 to 6 '
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --set 'model.mass[2]=1' --set 'model.friction=[1, -3, 3]'
has err '^--set model.friction=\[1, -3, 3\]: model.friction: entry 2 is -3 '
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --set time.end=2,5
has err '^--set time.end=2,5: time.end: 2,5 \(expected a decimal point, not a comma: 2.5\)$'

# a plan's u in other segments: the hint names the key that differs; two equal conditions are said to depend on each other
cat >twice.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.005}
control:
  target: {position: [1], velocity: [0], combinations: [{of: {1: 1}, equal: 1}]}
  signal: {kind: piecewise_constant, segments: 10}
END
expect 0 "$PROGRAM" control twice.yaml -o twice
has out '^3 conditions with a multiplier depend on each other \(rank 2\): their multipliers are not unique$'
expect 0 "$PROGRAM" control twice.yaml -o once --set control.target.combinations=null --set control.limits='{speed: 9}'
that "two conditions apart do not" test "$(grep -c 'depend on each other' out)" -eq 0
expect 2 "$PROGRAM" simulate twice.yaml --control twice -o replayed --set control.signal.segments=7
has err 'in 10 segments; this problem.s is piecewise_constant in 7, no multiple of that \(expected control.signal.segments: 10, or a multiple\)$'
that "refine_to is not allowed there, so it is no hint" test "$(grep -c refine_to err)" -eq 0
verdict
