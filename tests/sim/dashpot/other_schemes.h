/* SPDX-License-Identifier: BSD-2-Clause */
/* Further schemes of a dash-pot, for tests. They differ only in the numbers of their rows. */
#ifndef TESTS_DASHPOT_OTHER_SCHEMES_H
#define TESTS_DASHPOT_OTHER_SCHEMES_H

#include "sim/dashpot/form.h"

DASHPOT_SCHEME(springs_first, "springs explicit, the velocity first", 0, .after = 0, .before = 0, .ahead = 1, .end = 1)
DASHPOT_SCHEME(middle, "the Moreau-Jean scheme, theta = 1/2", 0, .after = 0.25, .before = 0.25, .ahead = 0.5,
               .end = 0.5)
DASHPOT_SCHEME(theta, "the Moreau-Jean scheme, theta = 0.8", 0, .after = 0.64, .before = 0.16, .ahead = 0.8, .end = 0.8)
DASHPOT_SCHEME(behind, "springs and x by the velocity at a step's start", 0, .after = 0, .before = 0, .ahead = 0,
               .end = 0)

static const SimScheme *const other_schemes[] = {&sim_scheme_springs_first, &sim_scheme_middle, &sim_scheme_theta,
                                                 &sim_scheme_behind};
enum { OTHER_SCHEMES = sizeof other_schemes / sizeof *other_schemes };

#endif
