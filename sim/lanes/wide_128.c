/* SPDX-License-Identifier: BSD-2-Clause */
/* Lanes for the baseline instruction set: two doubles. */
#define LANE_WIDTH   2
#define LANE_VECTORS 4
#include "sim/lanes/async.h"
#include "sim/lanes/splitting.h"
#include "sim/mechanism/batch.h"

#ifdef __SSE2__
#define LANE_NAME "sse2"
#else
#define LANE_NAME "neon"
#endif

const BatchKernel batch_wide_128 = {
    .name = LANE_NAME,
    .lanes = LANES,
    .run = {[LANES_FORM] = form_run, [LANES_SPLITTING] = splitting_run, [LANES_SEGMENTS] = mechanism_batch},
    .own = batch_own_128};
