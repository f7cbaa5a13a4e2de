#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A service: many problems at once with the bytes of `control`, odd names, and bad problems, which do not stop other jobs.
#   usage: tests/ranks/serve.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"

mkdir whole

# --- 50 problems, some under odd names; 6 malformed; what is no file
odd=("a b" $'new\nline' "-rf" "x;y\$(z)" "$(printf 'latin\xe9')" "dots..yaml" "no suffix" "q'\"" "%s%n" "aaaaaaaaaa*")
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
sed 's/^control:/control:\n  start: {from: ".."}/' whole/0.yaml >bad6
for k in 1 2 3 4 5 6; do submit spool "bad$k" "bad$k.yaml"; done
ln -s "$PWD/whole/1.yaml" spool/incoming/link.yaml
mkdir spool/incoming/folder.yaml
mkfifo spool/incoming/pipe
truncate -s 17M spool/incoming/large.yaml
cp whole/1.yaml spool/incoming/.hidden.yaml
expect 0 mpi_run 4 "$PROGRAM" serve spool --drain
that "51 lines of done and 10 of failed" test "$(grep -c ': done' out)-$(grep -c ': failed' out)" = 50-10
that "50 done" test "$(count spool/done)" -eq 50
that "10 failed" test "$(count spool/failed)" -eq 10
that "nothing runs" test "$(count spool/running)" -eq 0
that "what is hidden stays" test "$(ls -A spool/incoming)" = .hidden.yaml
for k in $(seq 0 49); do done_right spool "${expected[k]}" "$k"; done
has spool/failed/bad1/error.txt '^bad1.yaml:[0-9]+:[0-9]+: '
has spool/failed/bad2/error.txt '^bad2.yaml:7:[0-9]+: model.mass'
has spool/failed/bad3/error.txt '^bad3.yaml:[0-9]+:[0-9]+: search.penality: .*penalty'
has spool/failed/bad3/error.txt '^bad3.yaml:[0-9]+:[0-9]+: time'
has spool/failed/bad4/error.txt '^bad4.yaml:'
has spool/failed/bad5/error.txt '^bad5.yaml:6:[0-9]+: model.mass.file: another file'
has spool/failed/bad6/error.txt 'control.start.from: another file'
has spool/failed/link/error.txt 'a link'
has spool/failed/folder/error.txt 'a folder'
has spool/failed/pipe/error.txt 'not a file'
has spool/failed/large/error.txt 'too large'
that "status.json records the end" test "$(jq -c '[.phase, .done, .failed, .waiting, (.running | length)]' spool/status.json)" \
  = '["ended",50,10,0,0]'

# --- a model that fails, beside a good one; names again
sed -e 's/step: 0.0.*}/step: 0.02}/' -e 's/^scheme: .*/scheme: {name: moreau, theta: 1, multiplier: unregularized, solver: fixed_point, r: 1e-9, tolerance: 1e-300}/' \
  whole/0.yaml >unsolved.yaml
code=0
"$PROGRAM" control unsolved.yaml --quiet 2>err || code=$?
that "control of unsolved.yaml: exit $code" test "$code" -eq 4
submit spool unsolved.yaml p20.yaml
submit spool whole/21.yaml p21.yaml
submit spool whole/22.yaml p22.yaml
[ "$(id -u)" -ne 0 ] || chown 65534:65534 spool/incoming/p22.yaml # another user's file; only root can give it away
expect 0 mpi_run 2 "$PROGRAM" serve spool --drain --quiet --at-once 1
owner=$(stat -c %u:%g spool/done/p22-2/problem.yaml)
that "the submitter's is his" test "$owner" = "$([ "$(id -u)" -eq 0 ] && echo 65534:65534 || echo "$(id -u):$(id -g)")"
that "so are its results" test "$(find spool/done/p22-2 -printf '%U:%G\n' | sort -u)" = "$owner"
that "and no other user's" test "$(stat -c %a spool/done/p21-2 spool/done/p22-2 spool/failed/p20-2 | sort -u)" = 700
that "no other user may lock" test "$(stat -c %a spool/lock)" = 600
done_right spool p21-2 21
has spool/failed/p20-2/error.txt 'did not converge'
that "the results of the failed are there" test -s spool/failed/p20-2/summary.json

expect 2 "$PROGRAM" serve spool
has err 'expected mpirun'
every_summary .
verdict
