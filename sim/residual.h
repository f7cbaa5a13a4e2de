/* Independent check of a motion by the scheme `event`: a part of sim/sim.h. The scheme computes a motion by power
 * series. The check inserts the motion into (1) and into lambda_i in sgn(x'_i), evaluates these by the problem's own
 * functions, and uses none of the series. */
#ifndef SIM_RESIDUAL_H
#define SIM_RESIDUAL_H

#include "sim/problem.h"

SIM_API_BEGIN

/* The kind of a residual. Each is relative to a scale of the motion. */
typedef enum SimResidualOf {
  SIM_RESIDUAL_NONE,
  /* sum of the terms of a row of (1), relative to its largest term, or to 1/100 of the largest of all rows */
  SIM_RESIDUAL_EQUATION,
  /* excess of |lambda| over 1, or lambda against the sign of x'; relative to 1 and to the largest speed */
  SIM_RESIDUAL_FRICTION,
  SIM_RESIDUAL_PATH, /* x' - v, relative to the largest speed; x beyond a rigid stop, relative to the largest |x| */
  SIM_RESIDUAL_JUMP, /* jump of x or v without an impact, relative to the largest |x| or speed */
  /* dash-pot: difference of the speed from the law's speed at its force, relative to the largest speed */
  SIM_RESIDUAL_LAW
} SimResidualOf;

/* Largest residual of a motion so far. It is evaluated at both ends of each piece of the series and at one point in
 * between; before a stop also each time the speed has fallen tenfold. */
typedef struct SimResidual {
  double largest;   /* relative; NAN: a term is not finite */
  double time;      /* s */
  int dof;          /* degree of freedom, from 0 */
  SimResidualOf of; /* what it is of */
} SimResidual;

/* The functions from which a problem's polynomials were computed. NULL: unknown; the polynomials are used instead. */
typedef struct SimOriginals {
  void *context; /* borrowed */
  /* f(t) [d], N; for a chain with the contribution of its end */
  void (*force)(void *context, double t, double *f);
  void (*thresholds)(void *context, double t, double *c); /* thresholds, N, as in sim_problem_set_thresholds */
  double (*spring)(void *context, SimSpringPlace place, int k, double e); /* g(e) of spring k of a place, N */
  double (*rise)(void *context, int i, double e);                         /* h_i(e), N, as in sim_problem_set_rise */
} SimOriginals;

/* Largest residual of a valid motion, max(1e-8, 100 tolerance). Beyond it a rollout ends with SIM_RESIDUAL_LARGE.
 * INFINITY for other schemes than `event`. */
double sim_residual_most(const SimProblem *problem);
/* Returns a short English phrase for a kind of residual; static storage. */
const char *sim_residual_text(SimResidualOf of);

SIM_API_END

#endif
