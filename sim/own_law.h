/* User-defined friction laws. */
#ifndef SIM_OWN_LAW_H
#define SIM_OWN_LAW_H

#include "sim/problem.h"

SIM_API_BEGIN

/* A user-defined friction law. force returns F_i(s), N, at the sliding speed s >= 0, m/s, and sets *slope to F_i'(s), N
 * s/m. i: the dof, or 0 if all dofs share one law. */
typedef struct SimFrictionLaw {
  void *context;                                                      /* passed to force; borrowed */
  double (*force)(void *context, int i, double speed, double *slope); /* F_i(s), N */
} SimFrictionLaw;

/* Sets the law of gamma to `columns` user-defined functions, 1 or d, for speeds 0..most; beyond most friction is
 * constant. This call samples the functions, halving intervals of speed until cubics through values and slopes agree
 * with the functions within 1e-9 F(0). The functions are not called again, so all schemes, kernels and derivatives
 * support the law, as they do a table. c is unchanged. Kinks are allowed. SIM_BAD_PROBLEM near the speed *where: a
 * number is not finite, F(0) <= 0, F(s) < 0, F jumps, or the slope is not the derivative of F. SIM_NO_MEMORY. Both
 * leave the problem without a law. */
SimStatus sim_problem_set_friction_law(SimProblem *problem, int columns, const SimFrictionLaw *law, double most,
                                       double *where);

SIM_API_END

#endif
