/* SPDX-License-Identifier: BSD-2-Clause */
/* Adjoint derivatives of a final state, for schemes. They are computed by a sweep over the stored steps of a rollout,
 * from the last to the first. One sweep differentiates one quantity
 *
 *   J = x_weights'x(T) + v_weights'v(T) + stop_weights'(v_i just before the last stop of dof i, if it sticks until T)
 *
 * by everything that the motion depends on, at about the cost of one column of forward derivatives. Several such
 * quantities are swept together, as columns (columns.h). */
#ifndef SIM_ADJOINT_H
#define SIM_ADJOINT_H

#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"

/* Data of the record and of the sweep. Arrays with [count] have this rank's rows. Arrays with [width] have one entry
 * for each sum J of the current sweep; width is the number of sums, padded to a multiple of four. */
struct SimAdjoint {
  const SimModel *model; /* borrowed */
  int n;                 /* number of quantities by which J is differentiated */
  int together;          /* largest number of sums J in a sweep, a multiple of four */
  int width;             /* number of sums J in this sweep, padded to a multiple of four */
  SimColumn *columns;    /* [n] quantities by which J is differentiated */
  /* [count][width] each: dJ/dx and dJ/dv at the current time of the sweep; in one memory block with the next arrays */
  double *x, *v;
  double *stop_weights; /* [count][width] stop_weights of each J */
  double *sum
      /* [count][width] each: the derivatives of J by c_i, M_ii, D_ii and beta_i, summed over the steps that the sweep
       * has passed; for a friction table [entries of the table][width]; NULL: not needed */
      [DEPENDENCES];
  double *stop_time;         /* [count] time of each dof's last stop in the recorded rollout, in s; NAN: the dof slides
                              * at T, or has never slid */
  double *stop_acceleration; /* [count] accelerations before these stops, in m/s^2 */
  bool smooth;
  SimStatus status;       /* status of the recorded rollout */
  SimInterrupt interrupt; /* limits of the rollout's workspace */
  double rollout, swept;  /* work of the recorded rollout; work of all sweeps along it so far */
  /* [nodes][p][width] derivatives of J by the control u at its nodes (signal_mix.h), as summed so far; [p][width] for a
   * constant control */
  double *nodes;
  SignalMix mix;   /* weights of the nodes of the control by which `impulse` must be multiplied */
  double *impulse; /* [count][width] derivatives of J with respect to B u, collected for `mix`, not yet added to
                    * `nodes` */
  void *own;       /* record of the rollout in the scheme's own form, for example an EventRecord; owned */
  void (*free_own)(void *own);
  SimStatus (*sweep)(
      /* Sweeps from dJ/dx and dJ/dv at T back to time 0, and sums up the derivatives. Returns SIM_OK, or the status of
       * a failed solve. */
      SimAdjoint *adjoint);
};

/* Returns row i of a block [count][width]. */
static inline double *adjoint_row(const SimAdjoint *adjoint, double *block, int i) {
  return block + (size_t)i * (size_t)adjoint->width;
}
/* Returns the number of doubles in a block [count][width]. */
static inline size_t adjoint_size(const SimAdjoint *adjoint) {
  return (size_t)adjoint->model->problem.count * (size_t)adjoint->width;
}

/* Checks the limits during a sweep. Returns SIM_OK, or SIM_CANCELLED if the rollout's workspace would be interrupted
 * now. */
SimStatus adjoint_look(const SimAdjoint *adjoint);
/* Calls step_back for each step from N to 1, until one call fails. Returns its status, SIM_CANCELLED, or SIM_OK. */
SimStatus adjoint_back(SimAdjoint *adjoint, SimStatus (*step_back)(SimAdjoint *adjoint, long n));
/* Returns the weights of the control's nodes; the control u of step n is their weighted mean. */
SignalMix adjoint_mix(const SimAdjoint *adjoint, long n);

/* Begins the record of a rollout's steps: no dof has stopped yet. */
void adjoint_start(SimAdjoint *adjoint);
/* adjoint_stop records that dof i comes to rest at time t, in s, with the acceleration v_i' just before, in m/s^2.
 * adjoint_go records that it slides again. */
void adjoint_stop(SimAdjoint *adjoint, int i, double t, double acceleration);
void adjoint_go(SimAdjoint *adjoint, int i);

/* Adds the derivatives of factor impulse'B u by the control to the sums. u is the mean of the control's nodes with the
 * weights `mix`. impulse: [count][width]. */
void adjoint_push(SimAdjoint *adjoint, SignalMix mix, double factor, const double *impulse);

#endif
