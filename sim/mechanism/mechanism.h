/* A mechanism as data: a graph with the nodes of its equations of motion. sim/mechanism/mechanism.c makes it from bodies,
 * energies and texts; a motion only reads it.
 *
 *     r_i(q, q', q'', t, p) - Q_i(q, q', t, p) - (B u)_i + c_i(q, q', t, p) lambda_i = 0,   lambda_i in sgn(q'_i)
 *
 * r is Lagrange's left side (sim/mechanism/lagrange.h) or that of joined rigid bodies (tree.h). */
#ifndef SIM_MECHANISM_MECHANISM_H
#define SIM_MECHANISM_MECHANISM_H

#include "sim/mechanism/lagrange.h"

typedef struct SimMechanism {
  Graph graph; /* GRAPH_TIDY; its variables: q, q', q'' [d each], t, then the parameters: number 3 d + 1 + k */
  int d;
  int n_parameters;
  int *nodes;                   /* [3 d] of q, q', q'' */
  MechanismVariables variables; /* borrows nodes */
  int *parameters;              /* [n_parameters] nodes of variables */
  double *values;               /* [n_parameters] their values */
  char **parameter_names;       /* [n_parameters] */
  char **names;                 /* [d] of coordinates */
  int *residuals;               /* [d] r */
  int *applied;                 /* [d] Q: forces given as text and viscous friction, -b q'; all may be the number 0 */
  int *thresholds;              /* [d] c >= 0 */
  int energy;                   /* J: E = q'.dT/dq' - T + V; dE/dt = q'.r + power */
  int power;                    /* W: what enters E by explicit dependence on t, -dL/dt; the number 0 for most */
} SimMechanism;

#endif
