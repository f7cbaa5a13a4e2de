/* A second opinion on a motion by the scheme `event`: a part of sim/sim.h. The scheme makes a motion of series; what they leave of (1)
 * and of lambda_i in sgn(x'_i) is found from the functions of a problem themselves, and shares no series with it. */
#ifndef SIM_RESIDUAL_H
#define SIM_RESIDUAL_H

#include "sim/problem.h"

SIM_API_BEGIN

/* Of what a residual is. */
typedef enum SimResidualOf {
  SIM_RESIDUAL_NONE,
  SIM_RESIDUAL_EQUATION, /* the sum of a row's terms in (1), as a part of the largest one, or of a hundredth of the largest of all rows */
  SIM_RESIDUAL_FRICTION, /* |lambda| beyond 1, or a lambda that is not the sign of x', as parts of that and of the fastest speed */
  SIM_RESIDUAL_PATH, /* x' is not v, as a part of the fastest speed; x beyond a rigid stop, of the farthest x */
  SIM_RESIDUAL_JUMP, /* x or v jumps, as a part of the farthest x or the fastest speed, where no impact has it jump so */
  SIM_RESIDUAL_LAW   /* a dash-pot: the speed is not that of its force by the law, as a part of the fastest one */
} SimResidualOf;

/* The largest residual of a motion so far: at both ends of each piece of its series, at a place in between, and on the way to rest
 * where the speed has fallen tenfold, again and again. */
typedef struct SimResidual {
  double largest;   /* NAN: a term is not finite */
  double time;      /* s */
  int dof;          /* from 0 on */
  SimResidualOf of; /* what it is of */
} SimResidual;

/* The functions that a problem's polynomials were made of. NULL: not at hand, the polynomials stand for it. */
typedef struct SimOriginals {
  void *context;                                          /* borrowed */
  void (*force)(void *context, double t, double *f);      /* f(t) [d], N; of a chain with the share of its end */
  void (*thresholds)(void *context, double t, double *c); /* as sim_problem_set_thresholds has them, N */
  double (*spring)(void *context, SimSpringPlace place, int k, double e); /* g(e) of the k-th spring of a place, N */
  double (*rise)(void *context, int i, double e); /* h_i(e), as sim_problem_set_rise has it, N */
} SimOriginals;

/* Beyond this a motion is not what it claims to be (SIM_RESIDUAL_LARGE): max(1e-8, 100 tolerance). INFINITY of other schemes than `event`. */
double sim_residual_most(const SimProblem *problem);
/* A short English phrase for what a residual is of; static storage. */
const char *sim_residual_text(SimResidualOf of);

SIM_API_END

#endif
