#!/usr/bin/env bash
# A service: many problems at once with the bytes of `control`, bad ones that stop nobody, SPOOL/stop, a signal, and kills
# (SIGKILL) at random instants after which nothing is lost or there twice.
#   usage: tests/serve.sh PROGRAM [KILLS [SEED]]
set -uo pipefail
PROGRAM=$1 kills=${2:-3} RANDOM=${3:-1}
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/shell.sh"

# without what may differ
stripped() {
  cut -d, -f1-10 "$1/search.csv"
  jq -S 'del(.seconds, .ranks, .utilisation)' "$1/summary.json"
  cat "$1/trajectory.csv" "$1/energy.csv" "$1/events.csv"
}

# count DIR: entries
count() { find "$1" -mindepth 1 -maxdepth 1 | wc -l; }

# variant K: a small problem, another for each K
variant() {
  local name=tp$(($1 % 2 + 1))
  sed -e "s/^title: .*/title: \"variant $1\"/" -e "s/step: 0.01.*}/step: 0.02$(($1 % 2 ? 0 : 5))}/" \
    -e "s/^search: .*/search: {penalty: P, scheme_size: $((9 + $1 % 4 * 7)), max_simplexes: $((20 + $1 * 3))}/" \
    -e "s/  friction: .*/  friction: $((5 + $1 % 7))/" "$problems/$name.yaml"
}

# submit SPOOL FILE NAME: as users do
submit() { cp "$2" "$1/part" && mv "$1/part" "$1/incoming/$3"; }

# the results of `control` for variant K: whole/K.txt
whole() {
  local code=0
  [ ! -e "whole/$1.txt" ] || return 0
  variant "$1" >"whole/$1.yaml"
  "$PROGRAM" control "whole/$1.yaml" -o "whole/$1" --quiet 2>err || code=$?
  case $code in 0 | 3) ;; *) fail "control of variant $1: exit $code" ;; esac
  stripped "whole/$1" >"whole/$1.txt"
}

# done_right SPOOL NAME K
done_right() {
  checks=$((checks + 1))
  stripped "$1/done/$2" 2>err | cmp -s - "whole/$3.txt" || fail "$1: $2 is not what control gives"
}

mkdir whole

# --- a service that has nothing to do, and another beside it, which waits a while before it gives up
mpi_exec 1 "$PROGRAM" serve idle >idle.out 2>idle.err &
idle=$!
for _ in $(seq 200); do
  [ -e idle/status.json ] && break
  sleep 0.05
done
mpi_exec 1 "$PROGRAM" serve idle >second.out 2>second.err &
second=$!

# --- 50 problems, some under odd names; 5 malformed; what is no file
odd=("a b" $'new\nline' "-rf" 'x;y$(z)' "$(printf 'latin\xe9')" "dots..yaml" "no suffix" "q'\"" "%s%n" "aaaaaaaaaa*")
names=(a_b new_line _rf 'x_y__z_' latin_ dots. no_suffix q__ _s_n aaaaaaaaaa_)
mkdir -p spool/incoming
for k in $(seq 0 49); do
  whole "$k"
  file=p$k.yaml name=p$k
  if [ "$k" -lt "${#odd[@]}" ]; then file=${odd[k]} name=${names[k]}; fi
  submit spool "whole/$k.yaml" "$file"
  expected[k]=$name
done
printf 'model: [1, 2\n' >bad1
sed 's/mass: .*/mass: [4, -5, 6]/' whole/1.yaml >bad2
sed 's/penalty: P/penality: P/; s/end: 5/end: -5/' whole/0.yaml >bad3
head -c 3000 /dev/urandom >bad4
sed 's/mass: .*/mass: {file: "..\/..\/..\/etc\/passwd"}/' whole/0.yaml >bad5
for k in 1 2 3 4 5; do submit spool "bad$k" "bad$k.yaml"; done
ln -s "$PWD/whole/1.yaml" spool/incoming/link.yaml
mkdir spool/incoming/folder.yaml
mkfifo spool/incoming/pipe
truncate -s 17M spool/incoming/large.yaml
cp whole/1.yaml spool/incoming/.hidden.yaml
expect 0 mpi_run 4 "$PROGRAM" serve spool --drain
that "51 lines of done and 9 of failed" test "$(grep -c ': done' out)-$(grep -c ': failed' out)" = 50-9
that "50 done" test "$(count spool/done)" -eq 50
that "9 failed" test "$(count spool/failed)" -eq 9
that "nothing runs" test "$(count spool/running)" -eq 0
that "what is hidden stays" test "$(ls -A spool/incoming)" = .hidden.yaml
for k in $(seq 0 49); do done_right spool "${expected[k]}" "$k"; done
has spool/failed/bad1/error.txt '^problem.yaml:[0-9]+:[0-9]+: '
has spool/failed/bad2/error.txt '^problem.yaml:7:[0-9]+: model.mass'
has spool/failed/bad3/error.txt '^problem.yaml:[0-9]+:[0-9]+: search.penality: .*penalty'
has spool/failed/bad3/error.txt '^problem.yaml:[0-9]+:[0-9]+: time'
has spool/failed/bad4/error.txt '^problem.yaml:'
has spool/failed/bad5/error.txt '^problem.yaml:6:[0-9]+: model.mass.file: another file'
has spool/failed/link/error.txt 'a link'
has spool/failed/folder/error.txt 'a folder'
has spool/failed/pipe/error.txt 'not a file'
has spool/failed/large/error.txt 'too large'
that "status.json tells the end" test "$(jq -c '[.phase, .done, .failed, .waiting, (.running | length)]' spool/status.json)" \
  = '["ended",50,9,0,0]'

# --- a model that fails, beside a good one; names again
sed -e 's/step: 0.0.*}/step: 0.02}/' -e 's/^scheme: .*/scheme: {name: moreau, theta: 1, multiplier: unregularized, solver: fixed_point, r: 1e-9, tolerance: 1e-300}/' \
  whole/0.yaml >unsolved.yaml
code=0
"$PROGRAM" control unsolved.yaml --quiet 2>err || code=$?
that "control of unsolved.yaml: exit $code" test "$code" -eq 4
submit spool unsolved.yaml p20.yaml
submit spool whole/21.yaml p21.yaml
expect 0 mpi_run 2 "$PROGRAM" serve spool --drain --quiet --at-once 1
done_right spool p21-2 21
has spool/failed/p20-2/error.txt 'did not converge'
that "the results of the failed are there" test -s spool/failed/p20-2/summary.json

# --- long problems: stop, signal, kills
long() {
  variant "$1" | sed -e "s/step: 0.02.*}/step: 0.0005}/" -e 's/scheme_size: [0-9]*/scheme_size: 64/' \
    -e 's/max_simplexes: [0-9]*/max_simplexes: 60/' >"whole/$2.yaml"
  echo 'checkpoint: {seconds: 0}' >>"whole/$2.yaml"
  "$PROGRAM" control "whole/$2.yaml" -o "whole/$2" --quiet 2>err || true
  stripped "whole/$2" >"whole/$2.txt"
}
for k in 0 1 2 3; do long "$k" "long$k"; done

# under_way SPOOL N: waits until N problems have begun to search
under_way() {
  local i
  for i in $(seq 300); do
    [ "$(find "$1" -path '*/running/*' -name search.csv -size +200c | wc -l)" -ge "$2" ] && return
    sleep 0.05
  done
  fail "$1: the problems do not begin"
}
fill() {
  mkdir -p "$1/incoming"
  for k in 0 1 2 3; do submit "$1" "whole/long$k.yaml" "long$k.yaml"; done
}
all_right() {
  that "$1: four are done" test "$(ls "$1/done" | tr '\n' ' ')" = "long0 long1 long2 long3 "
  that "$1: nothing else is anywhere" test "$(count "$1/running")-$(count "$1/failed")-$(count "$1/incoming")" = 0-0-0
  for k in 0 1 2 3; do done_right "$1" "long$k" "long$k"; done
}

fill stopped
mpi_exec 3 "$PROGRAM" serve stopped --quiet >out 2>err &
under_way stopped 4
touch stopped/stop
code=0
wait $! || code=$?
that "SPOOL/stop ends it (exit $code)" test "$code" -eq 0
that "it has taken the stop file away" absent stopped/stop
that "what ran is there" test "$(count stopped/running)" -gt 0
expect 0 mpi_run 4 "$PROGRAM" serve stopped --drain
all_right stopped

# The pid of a rank of the service of a spool.
rank_pid() {
  pgrep -f -- "^$PROGRAM serve $1( |\$)" | while read -r p; do
    grep -qzx "OMPI_COMM_WORLD_RANK=$2" "/proc/$p/environ" 2>/dev/null && echo "$p"
  done | head -1
}
fill signalled
mpi_exec 3 "$PROGRAM" serve signalled --quiet >out 2>err &
under_way signalled 4
kill -TERM "$(rank_pid signalled 0)"
code=0
wait $! || code=$?
that "TERM ends it with 85 (exit $code)" test "$code" -eq 85
that "what ran is there" test "$(count signalled/running)" -gt 0
expect 0 mpi_run 2 "$PROGRAM" serve signalled --drain
all_right signalled

# the numbers of the problems wherever they are, once for each place
in_one_place() {
  find killed/incoming killed/running killed/done killed/failed -path '*/long*' \( -name 'long?.yaml' -o -name problem.yaml \) \
    -not -path '*/checkpoint/*' | sed 's/.*long\([0-9]\).*/\1/' | sort | tr '\n' ' '
}
fill killed
for i in $(seq "$kills"); do
  mpi_exec 3 "$PROGRAM" serve killed --drain --quiet >out 2>err &
  launcher=$!
  sleep "$((RANDOM % 2)).$((RANDOM % 900 + 100))"
  case $((RANDOM % 3)) in
    0) victim=$launcher ;;
    1) victim=$(rank_pid killed 0) ;;
    2) victim=$(rank_pid killed 1) ;;
  esac
  [ -z "$victim" ] || kill -KILL "$victim" 2>/dev/null
  wait "$launcher" 2>/dev/null
  that "killed: each problem is in one place" test "$(in_one_place)" = "0 1 2 3 "
done
expect 0 mpi_run 3 "$PROGRAM" serve killed --drain --quiet
all_right killed

# --- the two
code=0
wait "$second" || code=$?
that "a second service is refused (exit $code)" test "$code" -eq 2
has second.err 'another stiction is at work'
touch idle/stop
code=0
wait "$idle" || code=$?
that "an idle service ends (exit $code)" test "$code" -eq 0
that "its folders are there" test "$(find idle -mindepth 1 | sort | tr '\n' ' ')" = \
  "idle/done idle/failed idle/incoming idle/lock idle/running idle/status.json "

expect 2 "$PROGRAM" serve spool
has err 'expected mpirun'
verdict
