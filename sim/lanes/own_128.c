/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of wide_128.c, but with a separate model for each lane. */
#define LANE_OWN
#define LANE_WIDTH   2
#define LANE_VECTORS 4
#include "sim/lanes/form.h"

BatchOwnRun *const batch_own_128[LANE_FAMILIES] = {[LANES_FORM] = form_run_own};
