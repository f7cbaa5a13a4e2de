#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The conformance set (bench/conformance): its digits by all integrators, and its score.
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
set_of=$root/bench/conformance

# one motion of each kind of system, computed anew; all of them: bench/conformance/make.py STICTION --check
checked=(hold-near worm-gear dashpot oscillator gearbox belt two-coupled tp2 chain-massless maxwell-slip bounces elastic-stop arm slider-crank)
expect 0 python3 "$set_of/make.py" "$PROGRAM" --check "${checked[@]}"
that "each is named with its decimals" lines out 'decimals: x' ${#checked[@]}

# what is published: 40 motions, each with its files, its problem and its line
names=$(sed 1d "$set_of/data/index.csv" | cut -d, -f1 | sort)
that "there are 40 motions" test "$(wc -l <<<"$names")" -eq 40
for ending in csv json; do
  that "each has its $ending" test "$(cd "$set_of/data" && printf '%s\n' *.$ending | grep -v '^index' | sed "s/\.$ending\$//" | sort)" = "$names"
done
that "and its problem file" test "$(cd "$set_of/problems" && printf '%s\n' *.yaml | sed 's/\.yaml$//' | sort)" = "$names"
that "less than 1 MB in all" test "$(cat "$set_of"/data/* | wc -c)" -lt 1000000

# a copy in which a digit of a row, one of an event, and an equation are changed
cp -r "$set_of" copy
awk -F, -v OFS=, 'NR == 6 { $2 = sprintf("%.12f", $2 + 1e-11) } { print }' "$set_of/data/throw.csv" >copy/data/throw.csv
expect 1 python3 copy/make.py "$PROGRAM" --check throw
that "one number is wrong" lines err '^throw.csv: t = 0.16: x1 is ' 1
sed -i 's/"to": 0.354248688935,/"to": 0.354248688945,/' copy/data/wall.json
expect 1 python3 copy/make.py "$PROGRAM" --check wall
has err '^wall.json: event .*0.354248688945'
sed -i 's/friction: 1,/friction: 1.0000001,/' copy/problems/incline.yaml
expect 1 python3 copy/make.py "$PROGRAM" incline
has err '^incline: the integrators disagree: '
that "and nothing is written" cmp copy/data/incline.csv "$set_of/data/incline.csv"
rm copy/data/bounces.*
expect 0 python3 copy/make.py "$PROGRAM" bounces
expect 0 python3 copy/make.py "$PROGRAM" --check bounces
that "the index has all lines again" lines copy/data/index.csv , 41

# the score of the program itself
mkdir scored
for name in $names; do
  expect 0 "$PROGRAM" simulate "$set_of/problems/$name.yaml" --set scheme='{name: event}' -o run --force --quiet
  mv run/trajectory.csv "scored/$name.csv"
  mv run/events.csv "scored/$name-events.csv"
done
expect 0 python3 "$set_of/score.py" scored
has out '^40 exact, 0 fine, 0 rough, 0 wrong, 0 missing$'

# a block that creeps while it should be held, one that is a hundredth late, and one that is not a number
mkdir others
awk -F, -v OFS=, 'NR > 1 { $2 = $2 + 9e-7*$1 } { print }' scored/hold-near.csv >others/hold-near.csv
awk -F, -v OFS=, 'NR > 1 { $2 = $2*1.01 } { print }' scored/oscillator.csv >others/oscillator.csv
awk -F, -v OFS=, 'NR == 40 { $3 = "nan" } { print }' scored/belt.csv >others/belt.csv
expect 1 python3 "$set_of/score.py" others
has out '^hold-near +fine +9\.0e-06 +0\.0e\+00 +4\.3e-06 +-$'
has out '^oscillator +rough '
has out '^belt +wrong .* inf '
that "no score is nan" lines out nan 0
has out '^0 exact, 1 fine, 1 rough, 1 wrong, 37 missing$'

# the columns are found by their names
mkdir named
awk -F, -v OFS=, '{ print "note", $3, $1, $2 }' scored/throw.csv >named/throw.csv
expect 0 python3 "$set_of/score.py" named
has out '^throw +exact '

# what is no table is refused in one line, with its place
score() { expect "$1" python3 "$set_of/score.py" "${@:2}"; }
refused() { # FILE PATTERN: stdin is the file
  rm -rf bad && mkdir bad && cp scored/throw.csv bad
  cat >"bad/$1"
  score 2 bad
  has err "^score.py: bad/$1$2"
  that "$2: one line" test "$(wc -l <err)" -eq 1
}
score 2
has err '^score.py: usage: score.py FOLDER '
score 2 nowhere
has err '^score.py: usage: score.py FOLDER '
refused throw.csv ":3: could not convert string to float: 'fast'$" <<<$'t,x1,v1\n0,0,1\n0.02,fast,1'
refused throw.csv ":2: there is no column 't' .commas separate" <<<$'t;x1;v1\n0;0;1'
refused throw.csv ":2: there is no column 'v1' " <<<$'t,x1,y1\n0,0,1'
refused throw.csv ":3: 2 values .expected 3, as there are columns.$" <<<$'t,x1,v1\n0,0,1\n0.02,0'
refused throw.csv ":.: 'utf-8' codec can't decode" <<<$'t,x1,v1\n\xff,0,1'
refused throw-events.csv ":2: there is no column 'dof' .commas separate" <<<$'dof;from;to;state\n1;0;1;slip+'
refused throw-events.csv ":2: could not convert string to float: 'start'$" <<<$'dof,from,to,state\n1,start,1,slip+'

# files without rows at the times of the set are missing
mkdir none
score 1 none
has out '^0 exact, 0 fine, 0 rough, 0 wrong, 40 missing$'
: >none/throw.csv
echo t,x1,v1 >none/wall.csv
printf 't,x1,v1\n0.0123,0,0\n' >none/incline.csv
score 1 none
has out '^0 exact, 0 fine, 0 rough, 0 wrong, 40 missing$'

# the integrator stands by itself
that "integrate.py and what it uses import the standard library alone" test \
  "$(cd "$set_of" && sed -nE 's/^(from|import) ([a-z]+).*/\2/p' integrate.py friction.py massless.py motions.py mechanisms.py | sort -u | xargs)" \
  = "friction itertools massless math mechanisms"
verdict
