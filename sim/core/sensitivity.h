/* SPDX-License-Identifier: BSD-2-Clause */
/* Forward derivatives X = d(x, v)/dz along a rollout, for schemes. z stands for quantities of the problem, one for each
 * column: an entry of the control, a mass, a threshold. */
#ifndef SIM_SENSITIVITY_H
#define SIM_SENSITIVITY_H

#include "sim/internal.h"

/* The quantity by which a column differentiates. */
typedef struct SimColumn {
  SimDependence on;
  /* Index of the entry of the control [p segments], of the friction table or of the lengths; 0 for T. For a quantity
   * of a dof, the dof's row on this rank; a row outside 0..count - 1 belongs to another rank. */
  int entry;
} SimColumn;

/* number of values of SimDependence */
enum { DEPENDENCES = SIM_ON_PARAMETER + 1 };

/* Returns the number of entries of a problem's friction table, which is the number of columns of SIM_ON_TABLE. */
static inline int table_numbers(const SimProblem *p) { return p->system.table.points * p->system.table.columns; }

struct SimSensitivity {
  int count, n;       /* number of rows of this rank; number of columns */
  int table;          /* index of the first column that differentiates by an entry of the friction table; n: there is
                       * no such column */
  int width;          /* n, padded to a multiple of four (sim/operator/columns.h) */
  SimColumn *columns; /* [n] the quantity of each column */
  /* The next three arrays are [count][width] each, in one memory block with the other arrays. */
  double *x, *v; /* derivatives of x and v at the time t_n of the workspace */
  double *stop;  /* derivatives of v just before the stop, for dofs that have stopped and still stick; otherwise 0 */
  /* [count] each, for dofs that have stopped and still stick: time of the stop, in s, and acceleration before it, in
   * m/s^2; NAN and 0 for other dofs */
  double *stop_time, *stop_acceleration;
  bool smooth; /* whether the motion has been differentiable so far */
  void *own;   /* data that the scheme defines, for example EventSensitivity; NULL: none */
  /* Computes the derivatives at t_n for sim_workspace_derivatives. A scheme sets this function if the arrays x and v
   * contain derivatives at another time than t_n. NULL: they belong to t_n. */
  void (*show)(const SimModel *model, SimWorkspace *work, double *state);
  void (*free_own)(void *own);
};

/* Allocates *columns [*count], one column for each number of each quantity on [n]; the caller frees the array. Returns
 * SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the model does not have some quantity. */
SimStatus sensitivity_columns(const SimModel *model, int n, const SimDependence *on, SimColumn **columns, int *count);

/* Returns row i of a block [count][width]. */
static inline double *sensitivity_row(const SimSensitivity *s, double *block, int i) {
  return block + (size_t)i * (size_t)s->width;
}

/* Copies the arrays x and v of derivatives, without padding: state [2 count][n]. */
void sensitivity_state(const SimSensitivity *sensitivity, double *state);
/* Copies the derivatives at the end of a rollout to *derivative. */
void sensitivity_copy(const SimSensitivity *sensitivity, SimDerivative *derivative);
/* Sets the derivatives x and v to their values at t = 0. No dof has stopped yet. */
void sensitivity_start(SimSensitivity *sensitivity);
/* Records that a dof comes to rest at time t, in s, with acceleration v' just before, in m/s^2. The present derivatives
 * of its velocity v are stored in `stop`. */
void sensitivity_stop(SimSensitivity *sensitivity, int dof, double t, double acceleration);
/* Records that the dof slides again, so that it has no stop. */
void sensitivity_go(SimSensitivity *sensitivity, int dof);

/* Whether the array on [n] exists and contains only values of the enum SimDependence. */
bool dependences_known(int n, const SimDependence *on);

#endif
