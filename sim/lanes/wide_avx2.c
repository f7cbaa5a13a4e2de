/* SPDX-License-Identifier: BSD-2-Clause */
/* Lanes for AVX2: four doubles. */
#define LANE_WIDTH   4
#define LANE_VECTORS 4
#include "sim/lanes/async.h"
#include "sim/lanes/splitting.h"
#include "sim/mechanism/batch.h"

const BatchKernel batch_wide_avx2 = {
    .name = "avx2",
    .lanes = LANES,
    .run = {[LANES_FORM] = form_run, [LANES_SPLITTING] = splitting_run, [LANES_SEGMENTS] = mechanism_batch},
    .own = batch_own_avx2};
