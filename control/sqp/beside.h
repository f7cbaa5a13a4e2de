/* SPDX-License-Identifier: BSD-2-Clause */
/* Search for a cheaper control near an answer that meets the targets. Each candidate is simulated. If a function below
 * succeeds, restore->control costs less than the answer, and its final state is at least as near to the targets as that
 * of the answer. */
#ifndef CONTROL_SQP_BESIDE_H
#define CONTROL_SQP_BESIDE_H

#include "control/sqp/restore.h"

/* Tries steps along the direction way [n], forward and backward. Returns whether a step succeeded. */
bool ctl_beside_falls(CtlRestore *restore, const double *way);

/* Tries steps along random directions. Returns whether a step succeeded. */
bool ctl_beside_falls_at_random(CtlRestore *restore);

/* Runs SQP from points a short step along random directions away from the answer. Returns whether a run succeeded. */
bool ctl_beside_leads_on(CtlRestore *restore);

#endif
