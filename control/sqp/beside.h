/* SPDX-License-Identifier: BSD-2-Clause */
/* Search for a cheaper control near an answer, which is a control that meets the targets. Each candidate is simulated.
 * If a function below succeeds, restore->control costs less than the answer, and its final state is at least as near to
 * the targets. */
#ifndef CONTROL_SQP_BESIDE_H
#define CONTROL_SQP_BESIDE_H

#include "control/sqp/restore.h"

/* Tries steps along the direction way [n], forward and backward. Returns whether a step succeeded. */
bool ctl_beside_falls(CtlRestore *restore, const double *way);

/* Tries steps along random directions. Returns whether a step succeeded. */
bool ctl_beside_falls_at_random(CtlRestore *restore);

/* Runs SQP from points at a short distance from the answer, in random directions. Returns whether a run found a cheaper
 * control. */
bool ctl_beside_leads_on(CtlRestore *restore);

#endif
