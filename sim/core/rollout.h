/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts a rollout for callers that make its steps themselves. */
#ifndef SIM_ROLLOUT_H
#define SIM_ROLLOUT_H

#include "sim/internal.h"

/* Sets a workspace to step n = 0 of a rollout. watched: whether energies must be computed. Returns the status of
 * SimScheme.start. */
SimStatus rollout_start(const SimModel *model, SimWorkspace *work, const double *control, bool watched);

#endif
