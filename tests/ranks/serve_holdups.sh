#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# One demanding job beside a stream of small ones: the longest time of rank 0 for one round (held_up in status.json; case idle:
# without such a job), and the time of a small job submitted just behind it. Started by hand; limit: no job holds up another by more than 1 s.
#   usage: tests/ranks/serve_holdups.sh PROGRAM [CASE..]
set -uo pipefail
PROGRAM=$1
shift
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
tp1=$problems/tp1.yaml most=1

sed 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 9, refine: none}/; s/step: 0.0125}/step: 0.025}/' "$tp1" >small.yaml
now() { date +%s.%N; }
since() { awk "BEGIN {printf \"%.2f\", $(now) - $1}"; }
# symmetric N WORD: a dense N x N matrix of that text off its diagonal
symmetric() {
  awk -v n="$1" -v word="$2" 'BEGIN {
    print "%%MatrixMarket matrix array real symmetric\n" n, n
    for (j = 1; j <= n; j++) { print 2 * n; for (i = j + 1; i <= n; i++) print word } }'
}
# dense N: a problem of N degrees of freedom with a matrix K.mtx
dense() {
  local zeros
  zeros=$(yes 0 | head -n "$1" | paste -sd,)
  echo "model: {kind: friction, mass: 1, friction: 1, stiffness: {file: K.mtx}, x0: [$zeros], force: \"sin(t)\"}"
  echo 'time: {end: 1, step: 0.01}'
  echo 'control: {target: {position: 0}}'
}

# Each makes what is to be put in, a folder or a file, as `job`.
make_nested() { head -c 400000 /dev/zero | tr '\0' '[' >job; }
make_keys() { seq -f 'no_key_%g: 1' 200000 >job; }
make_few_keys() { seq -f 'k%g: 1' 80000 >job; } # less than 1 MiB: rank 0 reads it itself
make_few_model_keys() {
  { sed '/^title/,$d' "$tp1"; echo 'model:'; seq -f '  k%g: 1' 80000; } >job
}
make_model_keys() {
  { sed '/^title/,$d' "$tp1"; echo 'model:'; seq -f '  no_key_%g: 1' 200000; } >job
}
make_steps() {
  sed 's/force: .*/force: "sin(exp(cos(t)))+sin(exp(cos(t)))"/; s/step: 0.0125/steps: 500000000/' "$tp1" >job
}
make_dofs() {
  mkdir job
  dense 4095 >job/problem.yaml
  symmetric 4095 1 >job/K.mtx
}
make_matrix() { # 39 MB
  mkdir job
  dense 2000 >job/problem.yaml
  symmetric 2000 0.12345678901234567 >job/K.mtx
}
make_files() { # 64 MiB in 64 files
  mkdir job
  cp small.yaml job/problem.yaml
  for k in $(seq 64); do head -c 1047000 /dev/zero | tr '\0' '1' >"job/data$k.csv"; done
}
make_cobyla() { # a local method that may not come back for long
  sed 's/^search: .*/search: {method: "nlopt:cobyla", tolerance: 1e-300, max_seconds: 15}/; s/^control:/control:\n  bounds: {lower: -1000}/' "$tp1" >job
}
make_proof() {
  sed -e 's/^search: .*/search: {method: sqp, certify: {gap: 0.02}}/' -e 's/position: \[2, 0, -2\]/position: [null, 0, null]/' "$tp1" >job
}
make_text() { { cat small.yaml; head -c 15000000 /dev/zero | tr '\0' '#'; } >job; } # one line of a comment
make_killed() {
  mkdir job
  cp "$problems/shiau-6.3.yaml" job/problem.yaml
  echo '{"format": 1, "command": "sweep", "settings": ["time.steps=100000"], "options": ["--vary", "model.friction=1:12:999"]}' >job/job.json
}
make_thousand() { cp small.yaml job; }
# many SPOOL: a hundred thousand small jobs of another user, at once
many() {
  python3 - "$1" <<'PY'
import os, sys
text = open("small.yaml", "rb").read()
for k in range(100000):
    with open(f"{sys.argv[1]}/.part", "wb") as file:
        file.write(text)
    if os.geteuid() == 0:
        os.chown(file.name, 1001, 1001)
    os.rename(file.name, f"{sys.argv[1]}/incoming/k{k}.yaml")
PY
}

put() { # SPOOL NAME: what has been made, as a job
  if [ -d job ]; then mv job "$1/incoming/$2"; else mv job "$1/incoming/$2.yaml"; fi
}
ended() { [ -e "$1/done/$2" ] || [ -e "$1/failed/$2" ]; }
serves() { # SPOOL
  mpi_exec 3 "$PROGRAM" serve "$1" --processes 1 --max-seconds 1000 >"$1.log" 2>&1 &
  launcher=$!
  that "$1: it serves" soon 30 eval "[ \"\$(jq .ranks '$1/status.json')\" = 3 ]"
  stream "$1" &
  streams=$!
}
stream() {
  for k in $(seq 2000); do
    cp small.yaml "$1/.stream" && mv "$1/.stream" "$1/incoming/stream$k.yaml"
    sleep 0.2
  done
}
stops() {
  kill "$streams"
  wait "$streams" 2>/dev/null
  touch "$1/stop"
  wait "$launcher"
}
# print_holdup SPOOL NAME TOOK: prints how long the service was held up, and checks the limit
print_holdup() {
  local held
  sleep 1.1
  held=$(jq .held_up "$1/status.json")
  printf '%-22s held_up %5.2f s, a small job behind it %5.2f s; %s %.90s\n' "$2" "$held" "$3" \
    "$(cd "$1" && find ./done failed running -maxdepth 1 -name job | sed 's,^\./,,; s,/.*,,')" "$(head -1 "$1/failed/job/error.txt" 2>/dev/null)"
  that "$2: less than $most s" awk "BEGIN {exit !($held < $most)}"
}
# measured CASE: put into a service that runs
measured() {
  local start took name=$1
  expect 0 "$PROGRAM" serve "$name" --init
  serves "$name"
  case $name in
    idle) ;;
    many) many "$name" ;;
    *) "make_$name" ;;
  esac
  [ "$name" != thousand ] || for k in $(seq 1000); do cp small.yaml "$name/.part" && mv "$name/.part" "$name/incoming/k$k.yaml"; done
  [ ! -e job ] || put "$name" job
  start=$(now)
  submit "$name" small.yaml behind.yaml
  that "$name: the small job is done" soon 60 ended "$name" behind
  took=$(since "$start")
  case $name in
    idle | proof | cobyla) sleep 6 ;;
    killed)
      for _ in 1 2; do
        soon 20 pgrep -f "^stiction [a-z]* .*$name/running/job"
        kill -SEGV "$(pgrep -f "^stiction [a-z]* .*$name/running/job" | head -1)"
        sleep 1
      done
      ;;
  esac
  [ "$name" = idle ] || [ "$name" = many ] || soon 20 ended "$name" job
  print_holdup "$name" "$name" "$took"
  stops "$name"
}
# restarted CASE: it is there when the service starts
restarted() {
  local start spool=again_$1
  mkdir -p "$spool/incoming" "$spool/running/job"
  "make_$1"
  mv job "$spool/running/job/problem.yaml"
  submit "$spool" small.yaml behind.yaml
  start=$(now)
  serves "$spool"
  that "$spool: the small job is done" soon 60 ended "$spool" behind
  print_holdup "$spool" "$spool" "$(since "$start")" # with the start of mpirun
  stops "$spool"
}

for name in "${@:-}"; do
  [ -n "$name" ] || continue
  measured "$name"
done
if [ $# -eq 0 ]; then
  for name in idle nested keys few_keys model_keys few_model_keys steps dofs matrix files cobyla proof text killed thousand many; do measured $name; done
  for name in nested keys few_keys few_model_keys; do restarted $name; done
fi
verdict
