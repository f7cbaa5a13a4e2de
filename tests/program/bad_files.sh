#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Every file of tests/program/bad must be refused by `check`, and every fourth also by `control` (with an evaluator `search`), which reads it by
# the same functions but starts MPI first, with just the complaints that it announces:
#
#     # expect: LINE:COL: KEY: part of the message          (of the file itself)
#     # expect: NAME:LINE:COL: KEY: part of the message     (of another file beside it)
#
# in its first lines, or in NAME.expect beside it where comments are not possible. Nothing may be left behind.
#
# usage: bad_files.sh PROGRAM [FILE...]      these files, each of them also by `control`
set -u
program=$1
shift
bad=$(cd "$(dirname "$0")" && pwd)/bad
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
every=1
[ $# -gt 0 ] || { every=4; set -- "$bad"/*.yaml; }
files=0 complaints=0 failures=0
evaluators=$(grep -l '^evaluator:' "$@")

fail() { # WHAT
  echo "FAIL $(basename "$file") ($command): $1"
  sed 's/^/    /' "$errors"
  failures=$((failures + 1))
}

# Fills expected[] with "PLACE: KEY: " prefixes and parts[] with what else a line must hold.
read_expectations() {
  local from=$file line own='^([0-9]+:[0-9]+: [^:]+: )(.*)$' other='^([^:]+:[0-9]+:[0-9]+: [^:]+: )(.*)$'
  [ -e "${file%.yaml}.expect" ] && from=${file%.yaml}.expect
  expected=() parts=()
  while IFS= read -r line && [[ $line == '# expect: '* ]]; do
    line=${line#'# expect: '}
    if [[ $line =~ $own ]]; then
      expected+=("$file:${BASH_REMATCH[1]}")
    elif [[ $line =~ $other ]]; then
      expected+=("$bad/${BASH_REMATCH[1]}")
    else
      fail "not an expectation: $line"
      continue
    fi
    parts+=("${BASH_REMATCH[2]}")
  done <"$from"
}

# Takes the first line that begins and goes on as expected out of lines[].
take() { # PREFIX PART
  local i
  for i in "${!lines[@]}"; do
    [[ ${lines[i]} == "$1"*"$2"* ]] || continue
    unset "lines[$i]"
    return 0
  done
  return 1
}

judge_messages() { # EXIT-CODE
  local i lines
  mapfile -t lines <"$errors"
  [ "$1" -eq 2 ] || fail "exit code $1 (expected 2)"
  for i in "${!expected[@]}"; do
    take "${expected[i]}" "${parts[i]}" || fail "no line has: ${expected[i]}...${parts[i]}"
  done
  [ ${#lines[@]} -eq 0 ] || fail "${#lines[@]} unexpected lines"
}

for file; do
  command="read" errors=/dev/null
  read_expectations
  [ ${#expected[@]} -gt 0 ] || fail "announces no complaint"
  command=check errors=$scratch/check
  "$program" check "$file" >/dev/null 2>"$errors" </dev/null
  judge_messages $?
  if [ $((files % every)) -eq 0 ]; then
    command=control errors=$scratch/control
    [[ $evaluators != *"$file"* ]] || command=search
    [[ ${file##*/} != identify_* ]] || command=identify # control has no use for what is measured after the end
    "$program" $command "$file" -o "$scratch/results" >/dev/null 2>"$errors" </dev/null
    judge_messages $?
    if [ -e "$scratch/results" ]; then
      fail "a results directory was created"
      rm -rf "$scratch/results"
    fi
  fi
  files=$((files + 1))
  complaints=$((complaints + ${#expected[@]}))
done
echo "$files bad files, $complaints complaints, $failures failures"
[ $failures -eq 0 ]
