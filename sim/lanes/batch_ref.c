/* SPDX-License-Identifier: BSD-2-Clause */
/* The simplest evaluation of a batch, one rollout after another. Every faster kernel must have the same results. */
#include "sim/lanes/batch.h"

static void run(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  for (int i = 0; i < n; i++)
    stiction_rollout(model, work, control + (long)i * stiction_model_controls(model), NULL, &final[i]);
}

const BatchKernel batch_ref = {.name = "ref", .lanes = 1, .run = {[LANES_NONE] = run}};
