# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by the tests of the service, after tests/shell.sh: problems, and how they are submitted and looked at.

# count DIR: entries
count() { find "$1" -mindepth 1 -maxdepth 1 | wc -l; }

# variant K: a small problem, another for each K
variant() {
  local name=tp$(($1 % 2 + 1))
  sed -e "s/^title: .*/title: \"variant $1\"/" -e "s/step: 0.01.*}/step: 0.02$(($1 % 2 ? 0 : 5))}/" \
    -e "s/^search: .*/search: {method: pds, penalty: P, scheme_size: $((9 + $1 % 4 * 7)), max_simplexes: $((20 + $1 * 3))}/" \
    -e "s/  friction: .*/  friction: $((5 + $1 % 7))/" "$problems/$name.yaml"
}

# lasting K: a longer one, with a checkpoint after each simplex
lasting() {
  variant "$1" | sed -e "s/step: 0.02.*}/step: 0.005}/" -e 's/scheme_size: [0-9]*/scheme_size: 64/' -e 's/max_simplexes: [0-9]*/max_simplexes: 60/'
  echo 'checkpoint: {seconds: 0}'
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

# attempt SPOOL JOB K: that one is under way, in a process of its own; victim: it
attempt() { grep -q "\"attempts\": $3" "$1/running/$2/attempts.json" && victim=$(pgrep -f "^stiction .*$1/running/$2" | head -1) && [ -n "$victim" ]; }
