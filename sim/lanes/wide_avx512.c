/* SPDX-License-Identifier: BSD-2-Clause */
/* Lanes for AVX-512: eight doubles. */
#define LANE_WIDTH   8
#define LANE_VECTORS 4
#include "sim/lanes/async.h"
#include "sim/lanes/splitting.h"
#include "sim/mechanism/batch.h"

const BatchKernel batch_wide_avx512 = {
    .name = "avx512",
    .lanes = LANES,
    .run = {[LANES_FORM] = form_run, [LANES_SPLITTING] = splitting_run, [LANES_SEGMENTS] = mechanism_batch},
    .own = batch_own_avx512};
