/* A motion with dry friction in small steps, apart from everything in sim: it checks what `event` finds.
 *
 *     M (v' - v) = h (B u - A (x + h (v + v')/4) - D (v + v')/2) - h c lambda,   lambda_i in Sgn(v'_i),   x' = x + h (v + v')/2 */
#ifndef BENCH_PLANS_RETRACE_H
#define BENCH_PLANS_RETRACE_H

#include "src/file/sections/motion_plan.h"

/* A motion: matrices [d][d], B [d][p], thresholds [d], without other forces. Arrays are borrowed. */
typedef struct Steps {
  int d, p, segments;
  const double *mass, *stiffness, *damping, *matrix, *friction;
  bool linear;           /* u is piecewise linear from 0, not constant */
  const double *lengths; /* [segments] s */
  const double *u;       /* [segments][p] */
} Steps;

/* Called at the beginning and at the end of each step, with the control there. */
typedef struct StepsListener {
  void (*hear)(void *context, double t, const double *x, const double *v, const double *u);
  void *context;
} StepsListener;

enum { STEPS_DOFS = 4, STEPS = 20000 /* of a motion */ };

/* Moves x and v [d] from 0 to the end. */
void steps_run(const Steps *steps, double *x, double *v, const StepsListener *listener);

/* Values of all quantities of a problem's plan for the control `u` of a motion. false: no memory. */
bool retrace(const Problem *problem, const SimProblem *motion, const double *u, double *values);

#endif
