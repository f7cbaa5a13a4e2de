/* Derivatives of where a rollout ends by going back along a record of it, for schemes: of one number
 *
 *     J = x_weights'x(T) + v_weights'v(T) + stop_weights'(v_i just before the stop in which dof i still is at T)
 *
 * with regard to all that the motion depends on, at the cost of about one column of derivatives that go forward; of several such
 * numbers side by side, as columns (columns.h). */
#ifndef SIM_ADJOINT_H
#define SIM_ADJOINT_H

#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"

/* [count]: this rank's rows; [width]: the numbers of the sweep under way, filled up. */
struct SimAdjoint {
  const SimModel *model; /* borrowed */
  int n;
  int together;         /* numbers of a sweep at most, a multiple of four */
  int width;            /* of this one, likewise */
  SimColumn *columns;   /* [n] what is wanted */
  double *x, *v;        /* [count][width] dJ/dx and dJ/dv where the sweep is; in one block with the next ones */
  double *stop_weights; /* [count][width] */
  double *sum
      [DEPENDENCES]; /* [count][width] so far, with regard to c_i, M_ii, D_ii, beta_i, of a table [numbers][width]; NULL: not wanted */
  double *stop_time;         /* [count] as in SimDerivative, of the rollout on record */
  double *stop_acceleration; /* [count] */
  bool smooth;
  SimStatus status;       /* of that rollout */
  SimInterrupt interrupt; /* of its workspace */
  double rollout, swept;  /* work of that rollout, and of the sweeps back along it so far */
  double *nodes;          /* [nodes][p][width] dJ/du at the nodes of signal_mix.h, so far; of a constant [p][width] */
  SignalMix mix;          /* whose impulse waits to be added to them */
  double *impulse;        /* [count][width] */
  void *own;              /* the scheme's record */
  void (*free_own)(void *own);
  SimStatus (*sweep)(
      SimAdjoint *adjoint); /* from x and v at T to those at 0; sums on the way. SIM_OK, or why a solve failed */
};

/* Row i of a block [count][width]. */
static inline double *adjoint_row(const SimAdjoint *adjoint, double *block, int i) {
  return block + (size_t)i * (size_t)adjoint->width;
}
/* Numbers of such a block. */
static inline size_t adjoint_size(const SimAdjoint *adjoint) {
  return (size_t)adjoint->model->problem.count * (size_t)adjoint->width;
}

/* On the way back: SIM_OK, or SIM_CANCELLED where the rollout's workspace would be interrupted now. */
SimStatus adjoint_look(const SimAdjoint *adjoint);
/* Goes back over all steps, N first, until one fails. Returns its status, or SIM_CANCELLED. */
SimStatus adjoint_back(SimAdjoint *adjoint, SimStatus (*step_back)(SimAdjoint *adjoint, long n));
/* The u of step n. */
SignalMix adjoint_mix(const SimAdjoint *adjoint, long n);

/* No stops so far. */
void adjoint_start(SimAdjoint *adjoint);
/* Dof i comes to rest at t, s, with v_i' just before, m/s^2; slides again. */
void adjoint_stop(SimAdjoint *adjoint, int i, double t, double acceleration);
void adjoint_go(SimAdjoint *adjoint, int i);

/* Adds what B u gives to J, where it is factor impulse'B u with this mix of nodes; impulse: [count][width]. */
void adjoint_push(SimAdjoint *adjoint, SignalMix mix, double factor, const double *impulse);

#endif
