/* SPDX-License-Identifier: BSD-2-Clause */
/* Features and checks of a gear box. The equations are in sim/law/gearbox.h. */
#include "sim/joint/laws.h"

#include <math.h>

static SimFeatures features(const SimProblem *p) { return p->system.gearbox.present ? SIM_HAS(GEARBOX) : 0; }

static void check(Check *check) {
  const SimProblem *p = check->problem;
  const SimGearbox *g = &p->system.gearbox;
  if (!g->present) return;
  int i = 0, j = 0;
  while (i < p->count && isfinite(g->k[i]) && (g->k[i] * g->delta[i] > 0 || (g->k[i] == 0 && g->delta[i] == 0))) i++;
  if (i < p->count)
    check_complain(check, "model.gearbox.k", "entry %d is %g (expected k of the sign of delta)", p->first + i + 1,
                   g->k[i]);
  while (j < p->count && g->b[j] > g->a[j]) j++;
  if (j < p->count)
    check_complain(check, "model.gearbox.b", "entry %d is %g (expected a < b)", p->first + j + 1, g->b[j]);
  if (g->exponent != 0 && g->law != SIM_STRIBECK_EXPONENTIAL)
    check_complain(check, "model.gearbox.exponent", "with another law than exponential, which alone takes it");
}

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(system.gearbox.delta, joint_rows)},
                                      {PROBLEM_ARRAY(system.gearbox.k, joint_rows)},
                                      {PROBLEM_ARRAY(system.gearbox.a, joint_rows)},
                                      {PROBLEM_ARRAY(system.gearbox.b, joint_rows)},
                                      {PROBLEM_ARRAY(system.gearbox.beta, joint_rows)},
                                      {PROBLEM_ARRAY(system.gearbox.epsilon, joint_rows)},
                                      {0}};

const JointLaw joint_law_gearbox = {.features = features, .arrays = arrays, .check = check};
