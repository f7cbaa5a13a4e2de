#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# jobs/serve.slurm, under srun and mpirun: a service that is signalled near its time limit goes back to the queue and on
# where it was, with the bytes of `control`; one that finds SPOOL/stop ends.
#   usage: tests/slurm/serve.sh PROGRAM    one with slow_evaluations.c: searches last seconds, asleep
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
# shellcheck source=tests/slurm/local.sh
. "$root/tests/slurm/local.sh"
slurm_start

mkdir whole
export STICTION_SLOWER=3
for k in 0 1 2; do
  variant "$k" | sed -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 64}/' >"whole/$k.yaml"
  "$PROGRAM" control "whole/$k.yaml" -o "whole/$k" --quiet 2>err
  stripped "whole/$k" >"whole/$k.txt"
done

# begun NAME LAUNCH OPTIONS [PAGE]: job NAME is under way with SPOOL/NAME
begun() {
  edited serve "$1" "spool=$1" "options=($3)" "launch=\"$2\"" "page=${4:-}"
  job=$(submitted "$1" --nodes=1 --ntasks-per-node=2)
}
searching() { [ "$(find "$clone/$1/running" -name search.csv -size +200c | wc -l)" -ge 3 ]; }

for launch in "srun --mpi=pmix" mpirun; do
  name=serve-${launch%% *}
  mkdir -p "$clone/$name/incoming"
  for k in 0 1 2; do submit "$clone/$name" "whole/$k.yaml" "$k.yaml"; done
  begun "$name" "$launch" --drain
  that "$name: three searches are under way" soon 60 searching "$name"
  scancel --signal=USR1 --batch "$job"
  end=$(ended "$job")
  that "$name: ended: $end" matches "$end" "ExitCode=0:0 JobState=COMPLETED Restarts=1 "
  has "$clone/$name.out" 'stiction ended with 85'
  that "$name: three problems are done" test "$(count "$clone/$name/done")" -eq 3
  for k in 0 1 2; do done_right "$clone/$name" "$k" "$k"; done
done

port=$((20000 + RANDOM % 10000))
begun stopped "srun --mpi=pmix" "" $port
that "stopped: it waits for problems" soon 60 grep -q serving "$clone/stopped/status.json"
submit "$clone/stopped" whole/0.yaml 0.yaml
that "stopped: it takes them" soon 60 test -e "$clone/stopped/done/0"
page() { python3 -c 'import sys, urllib.request as u; print(u.urlopen(u.Request(sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})).read().decode())' "$@"; }
that "stopped: the page shows it" matches "$(page "http://127.0.0.1:$port/jobs/0" "$(cat "$clone/stopped/token")")" '"state":"done"'
that "stopped: no other user can read the token" test "$(stat -c %a "$clone/stopped/token")" = 600
touch "$clone/stopped/stop"
end=$(ended "$job")
that "stopped: ended: $end" matches "$end" "ExitCode=0:0 JobState=COMPLETED Restarts=0 "
done_right "$clone/stopped" 0 0
verdict
