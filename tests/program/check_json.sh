#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# `check --json`: one document on standard output, with the content that `check` prints otherwise, for good files and for bad ones.
#   usage: tests/program/check_json.sh PROGRAM
set -uo pipefail
PROGRAM=$1
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
bad=$root/tests/program/bad

# all documents are what their schema says
mkdir documents
kept=0
keep() { kept=$((kept + 1)); cp out "documents/$kept.json"; }

# check_document FILE [OPTION..]: writes the JSON of `check` to the file document; `holds` evaluates a condition on it
check_document() { expect 0 "$PROGRAM" check "$@" --json; cp out document; keep; that "$1: nothing on standard error" test ! -s err; }
holds() { that "$1" jq -e "$1" document >/dev/null; }

# the problem as it is echoed, and the numbers as they are printed
for file in tp1 chain-dynamical gotika-6d-support string-16 stops scenarios; do
  check_document "$problems/$file.yaml"
  holds '.format == 1 and .valid and .mistakes == [] and .mistakes_left_out == 0'
  expect 0 "$PROGRAM" check "$problems/$file.yaml"
  that "$file: the same echo" cmp <(sed '1,/^as understood/d' out | jq -S .) <(jq -S .problem document)
  that "$file: the same size" grep -q ", $(jq -r .sizes.degrees_of_freedom document) degrees\? of freedom, $(jq -r .sizes.controls document) control" out
  that "$file: the same steps" grep -q "^time       $(jq .sizes.steps document) steps" out
  that "$file: the same r" test "$(sed -n 's/.* r = \([^ ]*\) .*/\1/p' out)" = "$(jq -r '.friction.r // empty' document | xargs -r printf %.6g)"
done
check_document "$problems/tp1.yaml" --set scheme.multiplier=regularized --set search.scheme_size=64
holds '.sizes == {kind: "friction", sparse: false, degrees_of_freedom: 3, controls: 3, steps: 400, segments: 1, variables: 3}'
holds '.search == {method: "pds", without_derivatives: false, scheme_size: 64}'
holds '.friction.epsilon == .problem.scheme.epsilon and .friction.epsilon > 0 and .friction.r == .problem.scheme.r'
holds '.stability == {step_limit: null, margin: null}'
holds '.eigenvalues | .bounds == false and .mass_min == 4 and .mass_max == 6 and ((.shortest_period - 6.283185307179586 / (.nu | sqrt)) | fabs) < 1e-12'
check_document "$problems/tp1.yaml" --set scheme.name=centered --set scheme.alpha=0 --set model.stiffness=9
expect 0 "$PROGRAM" check "$problems/tp1.yaml" --set scheme.name=centered --set scheme.alpha=0 --set model.stiffness=9
has out "^stability  step < $(jq -r .stability.step_limit document | xargs printf %.6g) s: margin $(jq -r .stability.margin document | xargs printf %.3g)\$"
check_document "$problems/shiau-6.3.yaml" --set scheme.name=strang
holds '.substeps.friction > 0 and (.substeps.elastic == null or .substeps.elastic > 0)'
check_document "$problems/chain-dynamical.yaml"
holds '.stability.growth >= 1 and (has("friction") | not)'
check_document "$problems/identify.yaml"
holds '.identify.starts > 0 and .measured.numbers > 0'
check_document "$problems/external-tin.yaml"
holds '.problem.evaluator.variables | length == 2'
for file in duffing measured-friction arm-6; do check_document "$problems/$file.yaml"; done
check_document "$problems/tp1.yaml"
holds '.schemes == ["moreau", "centered", "lie", "strang", "event"]'
check_document "$problems/stops.yaml"
holds '.schemes == ["moreau", "lie", "strang", "event"]'
expect 0 "$PROGRAM" check "$problems/stops.yaml"
has out '^schemes    that take all of this: moreau, lie, strang, event$'
check_document "$problems/scenarios.yaml"
holds '.scenarios.count == .problem.scenarios.count and .scenarios.numbers > 0'
check_document "$problems/tp1.yaml" -q --set 'control.target={position: [1, 2, 3], velocity: [0, 0, 0]}'
holds '.warnings | length == 1 and (.[0] | .message | test("^3 variables for 6 target entries"))'
holds '.warnings[0] | .file == null and .line == null and .column == null and .key == null'

# Mistakes: those of the text, number by number; standard error is left to what is no part of the answer.
# same_mistakes FILE [OPTION..]
same_mistakes() {
  expect 2 "$PROGRAM" check "$@"
  cp err text
  expect 2 "$PROGRAM" check "$@" --json
  keep
  that "$1: nothing on standard error" test ! -s err
  that "$1: the mistakes of the text" diff text <(jq -r '(if .valid == false and has("problem") == false then .mistakes else [] end)[]
    | (.file // "stiction check") + (if .line then ":\(.line):\(.column)" else "" end) + ": "
      + (if .key then .key + ": " else "" end) + .message' out)
}
mapfile -t plain < <(grep -LP '[^\x20-\x7e\n\t]|\\x' "$bad"/*.yaml) # of others the text shows control characters escaped
for ((n = 0; n < ${#plain[@]}; n += 12)); do same_mistakes "${plain[n]}"; done
same_mistakes "$bad/two_mistakes.yaml" --set model.mas=1 --set time.end=-1
same_mistakes none.yaml
same_mistakes "$problems/tp1.yaml" --max-memory 1
expect 2 "$PROGRAM" check "$problems/tp1.yaml" --json --set $'m\xff=1'
that "what is no UTF-8 is shown as ?" jq -e '.mistakes[0].key == "m?"' out >/dev/null
expect 2 "$PROGRAM" check "$bad/terminal_escape.yaml" --json
that "control characters are JSON's" jq -e '.mistakes | length > 0' out >/dev/null
expect 2 "$PROGRAM" control "$problems/tp1.yaml" --json
has err 'unknown option --json'
that "documents are valid by check.schema.json" "$root/tests/schema.py" "$problems/check.schema.json" documents/*.json
verdict
