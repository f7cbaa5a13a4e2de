/* Derivatives that go along with a rollout, X = d(x, v)/dz, for schemes. */
#ifndef SIM_SENSITIVITY_H
#define SIM_SENSITIVITY_H

#include "sim/sim.h"

/* What a column is the derivative with regard to. */
typedef struct SimColumn {
  SimDependence on;
  int entry; /* of the control [p segments], of the table; else a dof as one of this rank's rows, outside 0..count - 1 another rank's */
} SimColumn;

enum { DEPENDENCES = SIM_ON_TABLE + 1 };

/* How many numbers a problem's table has: columns of SIM_ON_TABLE. */
static inline int table_numbers(const SimProblem *p) { return p->system.table.points * p->system.table.columns; }

struct SimSensitivity {
  int count, n;       /* rows, this rank's; columns */
  int table;          /* the first column of a table's numbers; n: there is none */
  int width;          /* n, filled up: see sim/operator/columns.h */
  SimColumn *columns; /* [n] */
  /* [count][width] each, in one block with the rest */
  double *x, *v; /* at the workspace's t_n */
  double *stop;  /* v just before a dof came to rest, of those that stick since, else 0 */
  /* [count] */
  double *stop_time, *stop_acceleration; /* of those; NAN and 0 of others */
  bool smooth;                           /* so far there are derivatives */
  void *own;                             /* the scheme's; NULL: nothing */
  /* Columns at t_n, as sim_workspace_derivatives gives them, where x and v do not stand there. NULL: they do. */
  void (*show)(const SimModel *model, SimWorkspace *work, double *state);
  void (*free_own)(void *own);
};

/* A column for each number of each of on [n]: *columns [*count], the caller's to free. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM:
 * the model has no such numbers. */
SimStatus sensitivity_columns(const SimModel *model, int n, const SimDependence *on, SimColumn **columns, int *count);

/* Row i of a block [count][width]. */
static inline double *sensitivity_row(const SimSensitivity *s, double *block, int i) {
  return block + (size_t)i * (size_t)s->width;
}

/* x, then v, as they stand: state [2 count][n]. */
void sensitivity_state(const SimSensitivity *sensitivity, double *state);
/* x and v at t = 0, and no stops. */
void sensitivity_start(SimSensitivity *sensitivity);
/* A dof comes to rest at t, s, with v' just before, m/s^2, and v as it is now. */
void sensitivity_stop(SimSensitivity *sensitivity, int dof, double t, double acceleration);
/* It slides again. */
void sensitivity_go(SimSensitivity *sensitivity, int dof);

/* Whether on [n] is there, and has only what the enum has. */
bool dependences_known(int n, const SimDependence *on);

#endif
