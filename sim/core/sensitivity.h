/* Forward derivatives X = d(x, v)/dz along a rollout, for schemes. */
#ifndef SIM_SENSITIVITY_H
#define SIM_SENSITIVITY_H

#include "sim/internal.h"

/* The quantity that a column differentiates by. */
typedef struct SimColumn {
  SimDependence on;
  /* entry of the control [p segments], of the table or of the lengths, 0 for T; else the dof as a row of this rank,
   * outside 0..count - 1 one of another rank */
  int entry;
} SimColumn;

enum { DEPENDENCES = SIM_ON_PARAMETER + 1 };

/* Number of entries of a problem's friction table, and of columns of SIM_ON_TABLE. */
static inline int table_numbers(const SimProblem *p) { return p->system.table.points * p->system.table.columns; }

struct SimSensitivity {
  int count, n;       /* rows of this rank; columns */
  int table;          /* first column of a table's numbers; n: none */
  int width;          /* n, padded: see sim/operator/columns.h */
  SimColumn *columns; /* [n] */
  /* [count][width] each, in one block with the other arrays */
  double *x, *v; /* at the workspace's t_n */
  double *stop;  /* derivatives of v just before a dof stopped, for dofs that have stuck since; else 0 */
  /* [count] */
  double *stop_time, *stop_acceleration; /* of these stops; NAN and 0 for other dofs */
  bool smooth;                           /* derivatives exist so far */
  void *own;                             /* data of the scheme; NULL: none */
  /* Computes the columns at t_n for sim_workspace_derivatives, if x and v are at another time. NULL: they are at
   * t_n. */
  void (*show)(const SimModel *model, SimWorkspace *work, double *state);
  void (*free_own)(void *own);
};

/* Allocates a column for each number of each quantity on [n] in *columns [*count]; the caller frees it. SIM_OK,
 * SIM_NO_MEMORY, or SIM_BAD_PROBLEM: the model has no such quantity. */
SimStatus sensitivity_columns(const SimModel *model, int n, const SimDependence *on, SimColumn **columns, int *count);

/* Row i of a block [count][width]. */
static inline double *sensitivity_row(const SimSensitivity *s, double *block, int i) {
  return block + (size_t)i * (size_t)s->width;
}

/* Copies x, then v, as they are: state [2 count][n]. */
void sensitivity_state(const SimSensitivity *sensitivity, double *state);
/* Copies the derivatives at the end of a rollout. */
void sensitivity_copy(const SimSensitivity *sensitivity, SimDerivative *derivative);
/* Sets x and v to their values at t = 0, without stops. */
void sensitivity_start(SimSensitivity *sensitivity);
/* Records that a dof comes to rest at t, s, with v' just before, m/s^2, and with v as it is now. */
void sensitivity_stop(SimSensitivity *sensitivity, int dof, double t, double acceleration);
/* Records that it slides again. */
void sensitivity_go(SimSensitivity *sensitivity, int dof);

/* Whether on [n] is not NULL and has only values of the enum. */
bool dependences_known(int n, const SimDependence *on);

#endif
