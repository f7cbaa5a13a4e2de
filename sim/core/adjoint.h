/* Derivatives of where a rollout ends by going back along a record of it, for schemes: of one number
 *
 *     J = x_weights'x(T) + v_weights'v(T) + stop_weights'(v_i just before the stop in which dof i still is at T)
 *
 * with regard to all that the motion depends on, at the cost of about one column of derivatives that go forward. */
#ifndef SIM_ADJOINT_H
#define SIM_ADJOINT_H

#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"

/* [count]: this rank's rows. */
struct SimAdjoint {
  const SimModel *model; /* borrowed */
  int n;
  SimColumn *columns;           /* [n] what is wanted */
  double *x, *v;                /* [count] dJ/dx and dJ/dv where the sweep is; in one block with the next ones */
  double *sum[SIM_ON_BETA + 1]; /* [count] so far, with regard to c_i, M_ii, D_ii, beta_i; NULL: not wanted */
  double *stop_time;            /* [count] as in SimDerivative, of the rollout on record */
  double *stop_acceleration;    /* [count] */
  bool smooth;
  SimStatus status; /* of that rollout */
  double *nodes;    /* [nodes][p] dJ/du at the nodes of signal_mix.h, so far; of a constant [p] */
  SignalMix mix;    /* whose impulse waits to be added to them */
  double *impulse;  /* [count] */
  void *own;        /* the scheme's record */
  void (*free_own)(void *own);
  /* From x and v at T to those at 0, with stop_weights [count]; sums on the way. SIM_OK, or why a solve failed. */
  SimStatus (*sweep)(SimAdjoint *adjoint, const double *stop_weights);
};

/* No stops so far. */
void adjoint_start(SimAdjoint *adjoint);
/* Dof i comes to rest at t, s, with v_i' just before, m/s^2; slides again. */
void adjoint_stop(SimAdjoint *adjoint, int i, double t, double acceleration);
void adjoint_go(SimAdjoint *adjoint, int i);

/* Adds what B u gives to J, where it is factor impulse'B u with this mix of nodes; impulse: [count]. */
void adjoint_push(SimAdjoint *adjoint, SignalMix mix, double factor, const double *impulse);

#endif
