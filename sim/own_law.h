/* Friction laws that are functions of a user's own. */
#ifndef SIM_OWN_LAW_H
#define SIM_OWN_LAW_H

#include "sim/problem.h"

SIM_API_BEGIN

/* A friction law of one's own: force returns F_i(s), N, of slipping at the speed s >= 0, m/s, and F_i'(s), N s/m, in *slope; of dof i, or
 * 0 where one law is for all. */
typedef struct SimFrictionLaw {
  void *context;                                                      /* passed to force; borrowed */
  double (*force)(void *context, int i, double speed, double *slope); /* F_i(s), N */
} SimFrictionLaw;

/* Makes stribeck the law of columns, 1 or d, for speeds 0..most; beyond, it is what it is there. The law is asked here, at speeds that are
 * halved until cubics through its values and slopes are within 1e-9 F(0) of it, and never again: so all schemes, kernels and derivatives
 * take it, as a table. c stays what it is. Kinks may be. SIM_BAD_PROBLEM, about the speed *where: a number is not finite, F(0) is not above 0,
 * or F(s) below 0, F jumps, or the slope is another function's; SIM_NO_MEMORY. Both leave the problem without a law. */
SimStatus sim_problem_set_friction_law(SimProblem *problem, int columns, const SimFrictionLaw *law, double most,
                                       double *where);

SIM_API_END

#endif
