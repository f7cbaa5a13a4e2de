#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# Random valid problems by the thousand (tests/random/README.md), on all cores: failures are printed, and their problems left in the folder
# that it is started in as random-SEED.yaml.
#   usage: tests/random.sh COUNT [FIRST [TEST_RANDOM]]      FIRST: 1; TEST_RANDOM: build/release/bin/test_random
set -euo pipefail
count=$1 first=${2:-1}
TEST_RANDOM=$(realpath "${3:-$(dirname "$0")/../build/release/bin/test_random}")
block=500 seconds=600 # of a block, which takes half a minute
export TEST_RANDOM seconds last=$((first + count))

# one_block FIRST SIZE: what is wrong in it, and how it ended where it did not end by itself
one_block() {
  local size=$2 code=0
  [ $(($1 + size)) -le "$last" ] || size=$((last - $1))
  timeout "$seconds" "$TEST_RANDOM" "$size" "$1" || code=$?
  [ "$code" -le 1 ] || echo "problems $1 to $(($1 + size - 1)): exit code $code"
  return $((code > 0))
}
export -f one_block

seq "$first" "$block" $((last - 1)) | xargs -P "$(nproc)" -I{} bash -c "one_block {} $block"
