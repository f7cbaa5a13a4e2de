/* Derivatives that go along with a rollout, X = d(x, v)/dz, for schemes. */
#ifndef SIM_SENSITIVITY_H
#define SIM_SENSITIVITY_H

#include "sim/sim.h"

/* What a column is the derivative with regard to. */
typedef struct SimColumn {
  SimDependence on;
  int entry; /* of the control [p segments], else a dof */
} SimColumn;

struct SimSensitivity {
  int d, n;           /* columns */
  SimColumn *columns; /* [n] */
  double *x, *v;      /* [n][d] each, at the workspace's t_n; in one block */
  bool smooth;        /* so far there are derivatives */
  void *own;          /* the scheme's; NULL: nothing */
  void (*free_own)(void *own);
};

/* x and v at t = 0. */
void sensitivity_start(SimSensitivity *sensitivity);

#endif
