/* A mechanism as data: a graph with the nodes of its equations of motion. sim/mechanism/mechanism.c makes it from bodies,
 * energies and texts; a motion only reads it.
 *
 *     r_i(q, q', q'', t, p) - Q_i(q, q', t, p) - (B u)_i + c_i(q, q', t, p) lambda_i = 0,   lambda_i in sgn(q'_i)
 *
 * r is Lagrange's left side (sim/mechanism/lagrange.h) or that of joined rigid bodies (tree.h). */
#ifndef SIM_MECHANISM_MECHANISM_H
#define SIM_MECHANISM_MECHANISM_H

#include "sim/mechanism/tree.h"

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

/* A mechanism of coordinates names [d] without equations yet: r, Q, c, the energy and the power are the number 0. Its parameters have
 * names and values [n_parameters]. All are copied. NULL without memory. */
SimMechanism *mechanism_create(int d, const char *const *names, int n_parameters, const char *const *parameter_names,
                               const double *values);
void mechanism_destroy(SimMechanism *mechanism); /* NULL: nothing */

/* The functions below add to what the mechanism has, so bodies and energies may be joined. They return false without memory, and
 * for a node of -1. */

/* Adds to r, to the energy and to the power those of the nodes T and V of q, q', t. */
bool mechanism_add_energies(SimMechanism *mechanism, int kinetic, int potential);
/* Adds joined bodies [d]; body i moves with coordinate i. gravity: [3] m/s^2. */
bool mechanism_add_tree(SimMechanism *mechanism, const MechanismBody *bodies, const double *gravity);
/* Adds a force to Q_i, a node of q, q', t: N or N m. */
bool mechanism_add_force(SimMechanism *mechanism, int i, int force);
/* Adds viscous friction, -b q'_i, to Q_i. b: a node of q, q', t; N s/m or N m s. */
bool mechanism_add_viscous(SimMechanism *mechanism, int i, int b);

#endif
