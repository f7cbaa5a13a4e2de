#!/usr/bin/env bash
# jobs/sweep.slurm and jobs/sweep-table.sh: an array over settings and problems; tasks that come to their time limit go back
# to the queue by themselves and leave the others alone; the table has what the program itself finds.
#   usage: tests/slurm/sweep.sh PROGRAM    one with slow_evaluations.c: searches that last seconds, asleep, so that two of them
#                                          are surely met under way, however many others are
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/slurm/local.sh
. "$root/tests/slurm/local.sh"
slurm_start
results=$clone/results/sweep

settings=(--set search.scheme_size=64)
edited sweep sweep "problems=(jobs/problems/tp1.yaml jobs/problems/tp2.yaml)" "penalties=(P Pi)" \
  "rho_updates=(dynamic)" "multipliers=(regularized unregularized)" "options=(${settings[*]})"
array=$(cd "$clone" && sbatch --parsable --array=0-8 --ntasks=1 --output=task%a.out sweep.slurm)

# the first and the last of them are told that their time is nearly up, standing still so long
told=("0 tp1-P-dynamic-regularized" "7 tp2-Pi-dynamic-unregularized")
stopped() { rows 3 "$results/$1/search.csv" && signal_ranks STOP "sweep/$1"; }
soon 100 stopped "${told[0]#* }" &
that "task 7 is under way" soon 100 stopped "${told[1]#* }"
that "task 0 is under way" wait $!
for one in "${told[@]}"; do
  read -r task run <<<"$one"
  expect 1 "$root/jobs/sweep-table.sh" "$results"
  has err "$run has not come to its end"
  scancel --signal=USR1 --batch "${array}_$task"
  soon 60 grep -q 'the time limit is near' "$clone/task$task.out"
  that "task $task has its signal" soon 30 holds_usr1 "sweep/$run"
  signal_ranks CONT "sweep/$run"
done
that "the array ends" soon 180 out_of_queue "$array"
for task in 0 7; do
  has "$clone/task$task.out" 'start 1: stiction control'
  has "$clone/task$task.out" 'start 2: stiction resume'
  has "$clone/task$task.out" 'ended with [03]$'
done
for task in 1 2 3 4 5 6; do
  has "$clone/task$task.out" 'ended with [03]$'
  that "task $task has not been stopped" test "$(grep -c ', start ' "$clone/task$task.out")" -eq 1
done
has "$clone/task8.out" "the header's lists make fewer combinations"

expect 0 "$root/jobs/sweep-table.sh" "$results"
cp out table.csv
that "a row each" test "$(wc -l <table.csv)" -eq 9
that "no row twice" test "$(cut -d, -f1 table.csv | sort -u | wc -l)" -eq 9
mkdir alone
for run in "tp1 P regularized" "tp2 Pi unregularized" "tp1 Pi unregularized"; do
  read -r problem penalty multiplier <<<"$run"
  "$PROGRAM" control "$problems/$problem.yaml" --quiet -o "alone/$problem-$penalty-dynamic-$multiplier" "${settings[@]}" \
    --set "search.penalty=$penalty" --set search.rho_update=dynamic --set "scheme.multiplier=$multiplier" >/dev/null 2>&1 &
done
wait
expect 0 "$root/jobs/sweep-table.sh" alone
while IFS= read -r row; do # but for ranks and seconds
  that "the table has: $row" grep -qF -- "${row%,*,*}," table.csv
done <out
expect 0 "$root/jobs/sweep-table.sh" --markdown "$results"
that "as Markdown" test "$(grep -c '^| .* |$' out)" -eq 10
expect 2 "$root/jobs/sweep-table.sh" "$clone/none"
verdict
