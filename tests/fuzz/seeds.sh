#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# What the fuzzers begin with: files that the project has, and results of small runs, in FOLDER/seeds/TARGET.
#   usage: tests/fuzz/seeds.sh PROGRAM FOLDER
set -euo pipefail
program=$1 fuzz=$2
cd "$(dirname "$0")/../.."

# seed TARGET NAME: the standard input is an input of it
seed() { cat >"$fuzz/seeds/$1/$2"; }
# run NAME ARGUMENTS of stiction...: small results to start from, once for each build
run() {
  local name=$1
  shift
  [ "$fuzz/runs/$name/summary.json" -nt "$program" ] || "$program" "$@" -o "$fuzz/runs/$name" --quiet --force
}

mkdir -p "$fuzz/runs" "$fuzz/seeds"/{problem,expression,matrix,load,robot,search,proof,rollout,checkpoint,record,results,hdf5,spool,package,job,http}
run csv simulate jobs/problems/tp1.yaml --set time.step=0.05 --set 'model.names=[a, b, c]' --set model.units.position=rad
run hdf5 simulate jobs/problems/tp1.yaml --set time.step=0.5 --set output.format=hdf5
run string simulate jobs/problems/string-plucked.yaml --set model.nodes=70 --set time.step=0.02
run search control jobs/problems/tp1.yaml --set search.scheme_size=9 --set time.step=0.05 --set output.verify=no --set search.refine=none
# hundreds of small ones, without a process for each
cp jobs/problems/*.yaml tests/program/bad/*.yaml "$fuzz/seeds/problem/"
for file in jobs/problems/*.yaml tests/program/bad/*.yaml; do
  IFS= read -rd '' text <"$file" || true # all of it, or up to a byte 0
  printf '%s\0scheme.name=centered\0model.mass[1]=2\0time={end: 1, steps: 3}' "$text" >"$fuzz/seeds/problem/set-${file##*/}"
done
k=0
while IFS= read -r text; do
  k=$((k + 1))
  printf %s "$text" >"$fuzz/seeds/expression/$k"
done < <(sed -nE 's/.*(force|value|until|friction|x0|surface_velocity|law|kinetic): "?([^",{}]+).*/\2/p' jobs/problems/*.yaml tests/program/bad/*.yaml | sort -u)
for text in 'a=[1, "b", c d, {e: [f, 2]}, ~]' 'time.step=0.1:1e-3:5:log' 'a=1:2:3' 'a=[]' "a=['x: y', \"\\n\"]"; do
  k=$((k + 1))
  printf %s "$text" >"$fuzz/seeds/expression/vary-$k"
done
printf 'a=[1\n\n\n2, ~]' | seed expression vary-lines
{ cat jobs/problems/external-tin.yaml && printf '\0evaluator.keep=all\0evaluator.directory=/tmp\0search.method=auto\0evaluator.values=[{name: a, role: residual}]'; } | seed problem set-external
for file in jobs/problems/*.mtx tests/program/bad/*.mtx; do
  [ ! -e "$file" ] || cp "$file" "$fuzz/seeds/matrix/"
done
printf '%%%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 2\n2 1 -1\n2 2 2\n' | seed matrix coordinate
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n0\n0\n1\n' | seed matrix array
for name in measured-load measured-friction identify; do
  seed load $name <jobs/problems/$name.csv
  sed "s|file: $name.csv|file: $PWD/jobs/problems/$name.csv|" jobs/problems/$name.yaml | seed problem "$name-whole"
done
printf 't,x1,v2,weight\n0,0,,1\n0.1,0.01,-0.2,4\n0.5,,0.3,1\n0.9,0.1,0.1,2\n' | seed load motion
cp jobs/problems/*.urdf tests/program/bad/*.urdf "$fuzz/seeds/robot/"
sed "s|urdf: |urdf: $PWD/jobs/problems/|" jobs/problems/puma.yaml | seed problem puma-whole
for target in search proof rollout; do printf '\0\010\377\001\0\0\002' | seed $target bytes; done
printf ',w09,w47e80\311' | seed proof counts # answers of 2^62 motions each
printf 'whole and torn' | seed checkpoint text
for name in csv search; do
  record=$fuzz/runs/$name/checkpoint/run.json # a short simulation has none
  [ ! -e "$record" ] || cp "$record" "$fuzz/seeds/record/$name"
  for file in summary.json trajectory.csv energy.csv events.csv search.csv; do
    { [ ! -e "$fuzz/runs/$name/$file" ] || head -c 20000 "$fuzz/runs/$name/$file"; } && printf '\0'
  done | seed results $name
done
printf '\0\0\0\0\0run,a,"b ""c""",outcome,reason,warnings,J\n0,1,x,met,"a, b",0,2\n1,1,y,failed,,0,\n2,2,x,met,,0,3\n' | seed results sweep
cp "$fuzz/runs/hdf5/trajectory.h5" "$fuzz/seeds/hdf5/trajectory"
cp "$fuzz/runs/string/events.h5" "$fuzz/seeds/hdf5/events"
printf 'a b\n.yaml\0model: {}\n' | seed spool odd
printf 'fproblem.yaml\0model: {mass: {file: M.mtx}}\0fM.mtx\00017 1 1\0fjob.json\0{"format": 1, "command": "control"}' | seed package whole
printf 'lM.mtx\0\0tproblem.yaml\0\0pin\0\0ddeep\0\0\0sM2\0zzz\0f.hidden\0x\0fsummary.json\0{}\0ofile\0' | seed package odd
printf 'fproblem.yaml\0a\0lM.mtx\0../outside\0l2\0/etc/passwd' | seed package links
{
  printf '{"format": 1, "command": "sweep", "priority": 3, "settings": ["time.step=0.01"], "options": ["--vary", "a=[1, 2]", "--zip"], "file": "a.yaml"}\0'
  printf '# stiction: sweep\nmodel: {mass: {file: M.mtx}, force: [{file: "../M.mtx"}]}\n\0'
  printf '{"phase": "serving", "updated": 1, "ranks": 2, "busy": 1, "running": [{"name": "a", "rounds": 3, "J": 1.5, "title": "t"}]}\0'
  head -c 3000 "$fuzz/runs/search/search.csv" && printf '\0'
  head -c 20000 "$fuzz/runs/search/summary.json"
} | seed job whole
printf '{"format": 1}\0# stiction: identify\0{}\0' | seed job little
for target in / /page.js /status '/jobs?name=a%20b.yaml&priority=-5&command=sweep&vary=a=1:2:3&set=b=2' /jobs/tp1 '/jobs/tp1/search?from=running' /jobs/tp1/files/figures/energy.svg; do
  k=$((k + 1))
  printf '%s\0localhost:8080\0http://localhost:8080\0same-origin\0Bearer 0123456789abcdef\0x' "$target" >"$fuzz/seeds/http/$k"
done
printf '/\0[::1]:80\0http://[::1]:80\0none\0bearer 0123456789abcdef' | seed http address
