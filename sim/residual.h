/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent check of a motion by the scheme `event`. The scheme computes a motion by power series. The check inserts
 * the motion into equation (1) of sim/sim.h and into lambda_i in sgn(x'_i). It evaluates both by the problem's own
 * functions, and uses none of the scheme's series. Included by sim/internal.h. */
#ifndef SIM_RESIDUAL_H
#define SIM_RESIDUAL_H

#include "sim/problem.h"

/* The functions from which a problem's polynomials were computed. NULL: unknown; the polynomials are used instead. */
typedef struct SimOriginals {
  void *context; /* argument of the functions; borrowed */
  /* computes the force f(t) [d] in N; for a chain it includes the contribution of its end */
  void (*force)(void *context, double t, double *f);
  /* computes the thresholds at time t, in N, in the order of stiction_problem_set_thresholds */
  void (*thresholds)(void *context, double t, double *c);
  /* returns the force g(e) of spring k, in N, where `place` is anchors or links */
  double (*spring)(void *context, SimSpringPlace place, int k, double e);
  double (*rise)(void *context, int i, double e); /* returns the position-dependent part h_i(e) of a threshold, in N, as
                                                   * in stiction_problem_set_rise */
} SimOriginals;

/* Returns the largest residual of a valid motion, max(1e-8, 100 tolerance). If it is exceeded, a rollout ends with
 * SIM_RESIDUAL_LARGE. INFINITY for other schemes than `event`. */
double sim_residual_most(const SimProblem *problem);
/* Returns a short English phrase for a kind of residual; static storage. */
const char *sim_residual_text(SimResidualOf of);

#endif
