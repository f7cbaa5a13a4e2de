/* SPDX-License-Identifier: BSD-2-Clause */
/* The schemes of a dash-pot that have steps, one row each. The names of the schemes are also in sim/setup/schemes.c. */
#include "sim/dashpot/form.h"

/* This scheme follows Gotika (5.9)-(5.25). */
DASHPOT_SCHEME(backward_euler, "implicit Euler: each step is solved for the root of the law", SIM_HAS(SUPPORT),
               .after = 1, .before = 0, .ahead = 1, .end = 1)
