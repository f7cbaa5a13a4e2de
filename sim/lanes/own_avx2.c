/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of wide_avx2.c, but with a separate model for each lane. */
#define LANE_OWN
#define LANE_WIDTH   4
#define LANE_VECTORS 4
#include "sim/lanes/form.h"

BatchOwnRun *const batch_own_avx2[LANE_FAMILIES] = {[LANES_FORM] = form_run_own};
