/* SPDX-License-Identifier: BSD-2-Clause */
/* The time-stepping schemes for a mass with a dash-pot, one row each. A row has the weights of the form that all these
 * schemes share (form.h). A new scheme must also be named in the table of all schemes, sim/setup/schemes.c. */
#include "sim/dashpot/form.h"

/* This scheme follows Gotika (5.9)-(5.25). */
DASHPOT_SCHEME(backward_euler, "implicit Euler: each step is solved for the root of the law", SIM_HAS(SUPPORT),
               .after = 1, .before = 0, .ahead = 1, .end = 1)
