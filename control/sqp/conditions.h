/* SPDX-License-Identifier: BSD-2-Clause */
/* Active conditions at a point u: the targets at T, and bounds and rate limits that hold with equality. For a dof that
 * stops exactly at T, the row of its velocity target has the derivatives before the stop; this condition holds only if
 * its multiplier is not negative. */
#ifndef CONTROL_SQP_CONDITIONS_H
#define CONTROL_SQP_CONDITIONS_H

#include "control/sqp/sqp.h"

/* The active conditions at a point. Each is a column of derivatives by the free variables, which are those not at a
 * bound. All arrays of doubles are one block, owned by `columns`. */
typedef struct CtlConditions {
  int n, count, rank; /* n: number of free variables. count: number of conditions. rank: rank of the matrix of the
                       * columns. */
  int targets;        /* number of conditions that are targets; they come first */
  int *free;          /* [n] index in u of each free variable; owned */
  int *of;            /* [count] for each condition that is a target: index of its row in the linear problem (linear.h);
                       * owned */
  double *columns;    /* [count][n] derivatives of each condition, scaled to length 1 */
  double *gradient;   /* [n] gradient H u of the effort J over the free variables; H is the Hessian of J */
  double *y;          /* [count] Lagrange multipliers of the conditions */
  double *residual;   /* [n] gradient H u + A'y of the Lagrangian, with the multipliers y, over the free variables */
  double *basis;      /* [n][n] orthonormal directions; along the last n - rank of them no condition changes */
  bool no_memory;     /* whether memory was lacking for one of the computations */
} CtlConditions;

/* Prepares an empty set of up to `most` conditions at u [n], and finds the free variables, which are those not at a
 * bound. The caller fills the gradient. Returns false when out of memory; clear the set also then. */
bool ctl_conditions_init(CtlConditions *c, const CtlProblem *problem, const double *u, int most);
/* Adds a condition. row: [number of all variables] its derivatives. */
void ctl_conditions_add(CtlConditions *c, const double *row);

/* Collects the conditions at the point s->at, for which the linear problem (linear.h) has been set up. Rows marked in
 * `dropped` are omitted. Returns false when out of memory; clear the set also then. */
bool ctl_conditions_find(const CtlSqp *s, const bool *dropped, CtlConditions *c);
void ctl_conditions_clear(CtlConditions *c);

/* Computes the rank, the least-squares multipliers and the null space of the conditions. Returns false when out of
 * memory or if LAPACK fails. */
bool ctl_conditions_solve(CtlConditions *c);

/* Returns the rank of the rows of the targets alone; -1: unknown. */
int ctl_conditions_target_rank(CtlConditions *c);

/* Among the conditions of dofs that stop exactly at T, marks the one with the most negative multiplier in `dropped`.
 * Returns whether there was one. */
bool ctl_conditions_drop_worst(const CtlSqp *s, const CtlConditions *c, bool *dropped);

/* Returns the norm of the first-order decrease of J that is possible by leaving bounds or rate limits: entries of H u +
 * A'y for variables at bounds, and multipliers of active rate limits, if they point into the permitted range. all: [n]
 * set to H u + A'y. */
double ctl_conditions_inward(const CtlSqp *s, const CtlConditions *c, double *all);

/* Whether row k of the linear problem (linear.h) is an active condition: it is an equality, or the row of a dof that
 * stops exactly at T. */
bool ctl_conditions_row_holds(const CtlSqp *s, int k);

/* Whether u_i is at a bound, up to round-off. */
bool ctl_conditions_is_held(const CtlProblem *problem, const double *u, int i);

/* Compares u_i with the same force in the previous segment. Returns 1 if it exceeds that value by the rate limit, -1 if
 * it is below that value by the rate limit, and 0 if the rate limit is not active. */
int ctl_conditions_rate_side(const CtlProblem *problem, const double *u, int i);

double ctl_norm(int n, const double *a);

#endif
