#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# The table of keys (sim/parameter.h) agrees with the reader, with `stiction help`, with the tables of the pages, and with the
# JSON schema.
#   usage: tests/program/help.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

expect 0 "$PROGRAM" help
for section in title model time scheme control search evaluator identify measured scenarios output checkpoint; do has out "^  $section "; done
expect 0 "$PROGRAM" help search.method
sed -nE 's/^ {4,}([a-z:]+) +[a-zA-Z].*/\1/p' out >methods
that "help lists the methods" test "$(wc -l <methods)" -gt 5
while read -r method; do
  [ "$method" != bundle ] || continue # wants scenarios
  expect 0 "$PROGRAM" check "$problems/tp1.yaml" -q --set "search.method=$method"
done <methods
expect 0 "$PROGRAM" check "$problems/scenarios.yaml" -q --set search.method=bundle --set control.objective=mean
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --set search.method=none
that "and the reader expects just these" test "$(grep -oE 'expected .*\)' err)" = "expected $(paste -sd'|' methods | sed 's/|/ or /g'))"
expect 0 "$PROGRAM" help scheme.alpha
has out '^  scheme +centered, lie, strang$'
has out '^  range +0 <= alpha <= 0.5$'
has out '^  default +0.25$'
expect 0 "$PROGRAM" help model.chain
has out '^  end_displacement +[a-z]'
expect 0 "$PROGRAM" help search
that "keys of all have no owners" eval '! grep -qE "[(] *,|, *[)]" out'
expect 2 "$PROGRAM" help serch.metod
has err 'did you mean search.method\?'
expect 2 "$PROGRAM" help metod
has err 'did you mean search.method\?'
expect 2 "$PROGRAM" help nothing.like.it

# what is checked in is what the program says
expect 0 "$PROGRAM" help --schema
that "schema.json is the output of stiction help --schema" cmp out "$problems/schema.json"
cp out schema.json
expect 0 "$PROGRAM" help --markdown
# by_key FILE..: the tables, sorted by their key, as the pages have another order than the program
by_key() { awk '/^<!-- keys:/ { key = $2; on = 1 } on { print key "\t" $0 } /^<!-- \/keys/ { on = 0 }' "$@" | sort -s -t $'\t' -k 1,1; }
by_key out >expected
by_key "$problems"/*.md >tables
that "there are tables in the pages" test "$(grep -c 'keys:' tables)" -gt 10
that "the tables of jobs/problems/*.md are the output of stiction help --markdown" cmp expected tables

# Every key that the problems, or the program in its echo of them, use has a row; entries of lists are not keys.
for file in "$problems"/*.yaml; do "$PROGRAM" check "$file" 2>err; done |
  awk '/^as understood/ { within = 1; next } within { print } /^}/ { within = 0 }' |
  jq -r 'paths | map(tostring) | join(".")' | sed -E 's/\.[0-9]+(\..*)?$//' | sort -u >used
that "the problems use keys" test "$(wc -l <used)" -gt 60
while read -r key; do expect 0 "$PROGRAM" help "$key"; done <used

# The reader asks each section for the keys that have rows, and for no others: it lists them when it is given one that is not.
# asked FILE SECTION [--set ..]: the keys
asked() {
  local file=$1 section=$2
  shift 2
  "$PROGRAM" check "$file" "$@" --set "$section.zzzzzzzzzzzzzzzzzzzzzzzz=1" 2>&1 >/dev/null |
    sed -n 's/.*zzzz: unknown key (expected one of \(.*\))$/\1/p' | tr -d ' ' | tr , '\n' | sort -u
}
# same_keys WHAT JQ: `asked` and the properties in the schema agree
same_keys() {
  jq -r "$2 | keys[]" schema.json | sort -u >rows
  that "$1: the reader takes some keys" test -s taken
  that "$1: the reader's keys (<) are the rows' (>)" diff taken rows
}
model() { echo ".properties.model.oneOf[] | select(.title == \"$1\").properties"; }
for file in tp1 burridge-knopoff; do
  asked "$problems/$file.yaml" model >taken
  same_keys "friction, $file" "$(model friction)"
done
asked "$problems/shiau-6.3.yaml" model.stribeck --set model.stribeck.law=sqrt >taken
same_keys stribeck "$(model friction).stribeck.properties"
asked "$problems/measured-friction.yaml" model.friction_table >taken
same_keys "friction table" "$(model friction).friction_table.properties"
asked "$problems/glowinski-2004-gearbox.yaml" model.gearbox >taken
same_keys gearbox "$(model friction).gearbox.properties"
asked "$problems/gotika-6-free.yaml" model >taken
same_keys dashpot "$(model dashpot)"
asked "$problems/gotika-6d-support.yaml" model.support >taken
same_keys support "$(model dashpot).support.properties"
asked "$problems/chain-dynamical.yaml" model >taken
same_keys chain "$(model chain)"
asked "$problems/string-plucked.yaml" model >taken
same_keys string "$(model string)"
asked "$problems/cart-pole.yaml" model >taken
same_keys mechanism "$(model mechanism)"
asked "$problems/cart-pole.yaml" model.bodies.cart >taken
same_keys "a mechanism's bodies" "$(model mechanism).bodies.additionalProperties.properties"
asked "$problems/two-links.yaml" model.links.fore >taken
same_keys "a mechanism's links" "$(model mechanism).links.additionalProperties.properties"
expect 0 "$PROGRAM" help model.bodies.cart.mass
has out '^model.bodies.mass: '
asked "$problems/string-plucked.yaml" model.stribeck --set model.stribeck.law=sqrt >taken
same_keys "a string's stribeck" "$(model string).stribeck.properties"
for scheme in moreau centered lie strang; do
  jq -r ".properties.scheme.allOf[] | select(.if.properties.name.const == \"$scheme\").then.properties | keys[]" schema.json |
    sort -u >rows
  "$PROGRAM" help scheme.$scheme | sed -n 's/^  \([a-z_]*\) .*/\1/p;$a name' | sort -u >taken
  that "$scheme: the schema ties its keys to its name" diff taken rows
done
for section in time scheme control search output checkpoint; do
  asked "$problems/tp1.yaml" $section >taken
  same_keys $section ".properties.$section.properties"
done
for section in identify measured; do
  asked "$problems/identify.yaml" $section >taken
  same_keys $section ".properties.$section.properties"
done
asked "$problems/scenarios.yaml" scenarios >taken
same_keys scenarios ".properties.scenarios.properties"
for part in target bounds signal; do
  asked "$problems/signal-2x8.yaml" control.$part >taken
  same_keys control.$part ".properties.control.properties.$part.properties"
done
"$PROGRAM" check "$problems/tp1.yaml" --set zzzzzzzzzzzzzzzzzzzzzzzz=1 2>&1 >/dev/null |
  sed -n 's/.*zzzz: unknown key (expected one of \(.*\))$/\1/p' | tr -d ' ' | tr , '\n' | sort -u >taken
same_keys "the file" .properties
verdict
