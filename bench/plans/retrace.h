/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes a motion with dry friction in small time steps h, to check the motion that the scheme `event` finds. It
 * shares no code with sim. A step goes from (x, v) to (x', v'):
 *
 *     M (v' - v) = h (B u - A (x + h (v + v')/4) - D (v + v')/2) - h c lambda,   lambda_i in Sgn(v'_i)
 *     x' = x + h (v + v')/2 */
#ifndef BENCH_PLANS_RETRACE_H
#define BENCH_PLANS_RETRACE_H

#include "src/file/sections/motion_plan.h"

/* A linear model with friction and its control: matrices [d][d], B [d][p], thresholds [d], and no other forces. Arrays
 * are borrowed. */
typedef struct Steps {
  int d, p, segments;
  const double *mass, *stiffness, *damping, *matrix, *friction;
  bool linear;           /* true: u is piecewise linear and begins at 0; false: u is constant in each segment */
  const double *lengths; /* [segments] s */
  const double *u;       /* [segments][p] */
} Steps;

/* Listener that is called at the beginning and at the end of each step, with the control at that instant. */
typedef struct StepsListener {
  void (*hear)(void *context, double t, const double *x, const double *v, const double *u);
  void *context;
} StepsListener;

enum { STEPS_DOFS = 4, STEPS = 20000 /* of a motion */ };

/* Advances x and v [d] from t = 0 to the end. */
void steps_run(const Steps *steps, double *x, double *v, const StepsListener *listener);

/* Computes the values of all quantities of a problem's plan, for the control `u`, from a motion in small time steps.
 * Returns false if there is no memory. */
bool retrace(const Problem *problem, const SimProblem *motion, const double *u, double *values);

#endif
