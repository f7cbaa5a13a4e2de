/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/viscous.h"

#include "sim/base/argument.h"
#include "sim/joint/laws.h"

#include <stdlib.h>

static SimFeatures features(const SimProblem *p) { return p->drags ? SIM_HAS(VISCOUS) : 0; }

static size_t drag(const SimProblem *p) { return p->drags ? (size_t)p->count + 1 : 0; }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(viscous, drag)}, {0}};

const JointLaw joint_law_viscous = {.features = features, .arrays = arrays};

SimStatus sim_problem_set_viscous(SimProblem *p, const double *b) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT_THERE(b);
  double *kept = p->drags ? p->viscous : calloc((size_t)p->count + 1, sizeof *kept);
  bool sparse = p->system.storage == SIM_SPARSE;
  SimMatrix *damping = &p->system.sparse.damping, sum;
  SimStatus status = kept ? SIM_OK : SIM_NO_MEMORY;
  if (kept && sparse) status = sim_matrix_add_diagonal(damping, p->first, p->count, b, &sum);
  if (status != SIM_OK) {
    if (!p->drags) free(kept);
    return status;
  }
  if (sparse) {
    sim_matrix_clear(damping);
    *damping = sum;
  }
  for (int i = 0; i < p->count && !sparse; i++) p->system.damping[i * (p->d + 1)] += b[i];
  for (int i = 0; i < p->count; i++) kept[i] += b[i];
  p->viscous = kept;
  p->drags = true;
  return SIM_OK;
}
