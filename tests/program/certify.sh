#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# search.certify: the proof that an answer is a least effort; on any number of ranks, stopped and gone on with, out of time; a wrong answer
# is found out.
#   usage: tests/program/certify.sh PROGRAM      one with slow_evaluations.c
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
tp1=$problems/tp1.yaml
export STICTION_SLOWER=0
small=(--set search.scheme_size=64)
free='control.target.position=[null, 0, null]' # of one mass: no convex set of controls meets it

# holds DIR CONDITION: of a summary's certificate
holds() { that "$1: $2" jq -e "def near(a; e): . - a | fabs < e; .outcome.certificate | $2" "$1/summary.json" >/dev/null; }
certificate() { jq -S .outcome.certificate "$1/summary.json"; }

expect 0 "$PROGRAM" control "$tp1" -o tp1 "${small[@]}" --set search.certify.gap=1e-3
has out '^no control with J < 473\.59360.* = 0\.999 J meets the target \([0-9]+ simulations, [0-9]+ boxes, [0-9.]+ s\)$'
holds tp1 '.proven and (.gap | near(1e-3; 1e-12)) and (.J | near(474.0676684; 1e-6)) and .simulations < 1000 and (has("better") | not)'
expect 0 "$PROGRAM" control "$tp1" -o none "${small[@]}"
holds none '. == null'

# ranks that have another model for the search than for the proof; the same bits
expect 0 "$PROGRAM" control "$tp1" -o one "${small[@]}" --set "$free" --set search.certify.gap=0.05
holds one '.proven and .simulations > 2000'
expect 0 mpi_run 3 "$PROGRAM" control "$tp1" -o three "${small[@]}" --set "$free" --set search.certify.gap=0.05
that "3 ranks prove the same" cmp <(certificate one) <(certificate three)

# stopped on the way, then killed, it goes on to the same end; evaluations last longer here, and checkpoints are small before
# the proof
long=(--set search.method=sqp --set "$free" --set search.certify.gap=0.02 --set checkpoint.seconds=0)
proves() { [ -s "$1" ] && [ "$(stat -c %s "$1")" -gt 100000 ]; }
kept() { proves stopped/checkpoint/state.0 && proves stopped/checkpoint/state.1; }
ends_with() { # CODE: the last one in the background
  local code=0
  wait $! || code=$?
  that "exit $code instead of $1" test $code -eq "$1"
}
expect 0 "$PROGRAM" control "$tp1" -o whole "${long[@]}" --progress
has err 'no less than [0-9.e-]+ J +[0-9]+ simulations, [0-9]+ boxes'
STICTION_SLOWER=1 "$PROGRAM" control "$tp1" -o stopped "${long[@]}" >out 2>err &
that "the proof is under way" soon 60 proves stopped/checkpoint/state.0
kill -TERM $!
ends_with 85
has err 'stopped on a signal'
answered() { [ "$(jq -c '[.outcome.reason, (.outcome.refined.J | floor), .outcome.certificate.reason]' "$1/summary.json")" = '["tolerance",80,"the proof has not ended yet"]' ]; }
that "the answer is there" answered stopped
that "the last checkpoints have the proof" kept
# nor is it lost by a signal that comes before it goes on
listens() { [ "/proc/$1/exe" -ef "$PROGRAM" ] && grep -q '^SigCgt:.*[4-7c-f]...$' "/proc/$1/status"; } # to TERM
STICTION_SLOWER=50 "$PROGRAM" resume stopped >out 2>err &
that "it listens" soon 60 listens $!
kill -TERM $!
ends_with 85
that "the last checkpoints have the proof still" kept
size=$(stat -c %s stopped/checkpoint/state.0)
goes_on() { [ "$(stat -c %s stopped/checkpoint/state.0)" != "$size" ]; }
STICTION_SLOWER=1 "$PROGRAM" resume stopped >out 2>err &
that "the proof goes on" soon 60 goes_on
{ kill -KILL $! && wait $!; } 2>/dev/null
that "the answer is still there" answered stopped
expect 0 mpi_run 2 "$PROGRAM" resume stopped
that "the same proof" cmp <(certificate whole) <(certificate stopped)

# a service has the same: proofs of two problems side by side, killed in the midst of them, stopped, and gone on with
sed -e 's/^search: .*/search: {method: sqp, certify: {gap: 0.02}}/' -e 's/position: \[2, 0, -2\]/position: [null, 0, null]/' "$tp1" >proof.yaml
echo 'checkpoint: {seconds: 0}' >>proof.yaml
mkdir -p spool/incoming
cp proof.yaml spool/incoming/one.yaml
sed 's/0\.02/0.03/' proof.yaml >spool/incoming/two.yaml
under_way() { proves "spool/running/$1/checkpoint/state.0" && answered "spool/running/$1"; }
STICTION_SLOWER=1 mpi_exec 3 "$PROGRAM" serve spool --drain >out 2>err &
launcher=$!
that "the service proves one" soon 60 under_way one
that "and two" soon 60 under_way two
kill -KILL "$(rank_pid spool 0)"
outlast "$launcher"
expect 0 mpi_run 2 "$PROGRAM" serve spool --drain
that "both are done" test "$(echo spool/done/*)" = "spool/done/one spool/done/two"
that "the service's proof" cmp <(certificate whole) <(certificate spool/done/one)
holds spool/done/two '.proven and (.gap | near(0.03; 1e-12))'

# out of time: what is proven until then; the answer is what it was
expect 0 "$PROGRAM" control "$tp1" -o late "${small[@]}" --set "$free" --set 'search.certify={gap: 1e-5, max_seconds: 0.3}'
has out '^not proven to the requested gap, out of time: no control with J < '
holds late '(.proven | not) and .lower_bound > 0 and .lower_bound < 80.999 and .gap > 1e-5'

# boxes of any size may hold motions that come near to the target by chance: none is left undecided
cat >segments.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1}
time: {end: 2, step: 0.005}
control: {target: {position: [1]}, signal: {kind: piecewise_constant, segments: 3}}
search: {certify: {gap: 0.0001}}
END
expect 0 "$PROGRAM" control segments.yaml -o segments
holds segments '.proven and (.gap | near(1e-4; 1e-12))'
expect 0 "$PROGRAM" control segments.yaml -o accepted --set search.accept=1e-3
has out '^not proven to the requested gap, controls come too close to the target for search.accept: no control with J < '

# the proof detects a J that is only a local minimum, and goes on from the better one
wrong=(--set 'control.target={position: [2, null, null], velocity: [0, null, null]}' --set scheme='{name: event}' --set
  search.method=sqp --set search.restarts=0 --set 'control.start=[10, 60, 5]' --set search.certify.gap=0.02)
expect 0 "$PROGRAM" control "$tp1" -o wrong "${wrong[@]}"
has out '^J = 635\.32.*; local minimum: yes$'
has out '^not the least effort: J = 620\.42.* meets the target, too'
has out '^no control with J < 608\.01.* = 0\.98 J meets the target'
holds wrong '.proven and (.J | near(620.4229; 1e-3)) and .better.J == .J and .better["E1"] < 1e-6 and (.gap | near(0.02; 1e-12))'
that "the search's answer stays" jq -e '.outcome.J - 635.3285 | fabs < 1e-3' wrong/summary.json >/dev/null
expect 0 mpi_run 3 "$PROGRAM" control "$tp1" -o wrong3 "${wrong[@]}"
that "3 ranks find the same" cmp <(certificate wrong) <(certificate wrong3)
# also by the look that comes upon it, which a signal has ended twice, and stopped in the midst of the second proof
expect 85 env STICTION_STOPPED_REFINE=1 "$PROGRAM" control "$tp1" -o cut "${wrong[@]}" --set checkpoint.seconds=0
expect 85 env STICTION_STOPPED_REFINE=1 "$PROGRAM" resume cut
that "there is no second proof yet" eval '! proves cut/checkpoint/state.0'
STICTION_SLOWER=1 "$PROGRAM" resume cut >out 2>err &
that "the second proof is under way" soon 60 proves cut/checkpoint/state.0
kill -TERM $!
ends_with 85
expect 0 "$PROGRAM" resume cut
that "it finds the same" cmp <(certificate wrong) <(certificate cut)
# a service goes on likewise; stopped in the midst of the second proof, too
mkdir -p better/incoming
sed -e 's/position: \[2, 0, -2\]/position: [2, null, null], velocity: [0, null, null]/' -e 's/^scheme: .*/scheme: {name: event}/' \
  -e 's/^search: .*/search: {method: sqp, restarts: 0, certify: {gap: 0.02}}/' -e 's/^control:/control:\n  start: [10, 60, 5]/' "$tp1" >better/incoming/better.yaml
echo 'checkpoint: {seconds: 0}' >>better/incoming/better.yaml
STICTION_SLOWER=1 mpi_exec 2 "$PROGRAM" serve better --drain >out 2>err &
launcher=$!
that "the second proof is under way there" soon 60 proves better/running/better/checkpoint/state.0
touch better/stop
that "it stops" wait $launcher
that "it is to go on" test -d better/running/better
expect 0 mpi_run 2 "$PROGRAM" serve better --drain
that "a service finds the same" cmp <(certificate wrong) <(certificate better/done/better)

# a force in two pieces: a block goes from rest to rest by u = 2, 0, which costs 4
cat >block.yaml <<'END'
model: {kind: friction, mass: 1, friction: 1, x0: [0]}
time: {end: 2, step: 0.005}
control: {target: {position: [1], velocity: [0]}, signal: {kind: piecewise_constant, segments: 2}}
search: {certify: {gap: 0.01}}
END
expect 0 "$PROGRAM" control block.yaml -o block
holds block '.proven and (.J | near(4; 1e-9)) and (.lower_bound | near(3.96; 1e-6)) and .simulations < 200'

# nothing costs less than nothing: a block that is to stay
expect 0 "$PROGRAM" control block.yaml -o stay --set 'control={target: {position: [0]}}'
has out '^no control costs less than J = 0$'
holds stay '.proven and .J == 0 and .lower_bound == 0 and .gap == 0'

# without an answer there is nothing to prove
expect 3 "$PROGRAM" control "$tp1" -o budget "${small[@]}" --set search.max_simplexes=8 --set search.certify.gap=0.1
holds budget '.reason | test("no control is known")'
every_summary .
verdict
