/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels of wide_avx512.c, but with a separate model for each lane, and with two vectors. With four, 4096 models of
 * tp1.yaml with ten times its steps take 137 ms on an EPYC of family 25, with two 131 ms. */
#define LANE_OWN
#define LANE_WIDTH   8
#define LANE_VECTORS 2
#include "sim/lanes/form.h"

BatchOwnRun *const batch_own_avx512[LANE_FAMILIES] = {[LANES_FORM] = form_run_own};
