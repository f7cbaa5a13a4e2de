/* Checks of massless dofs: refuses features for which there is no motion, or none that a step finds. */
#ifndef SIM_FRICTION_MASSLESS_CHECK_H
#define SIM_FRICTION_MASSLESS_CHECK_H

#include "sim/operator/check.h"

void friction_check_massless(Check *check);

#endif
