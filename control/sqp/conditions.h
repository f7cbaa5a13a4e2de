/* SPDX-License-Identifier: BSD-2-Clause */
/* Active conditions at a point u: rows of the targets, and bounds and rate limits that hold with equality. If a dof
 * stops exactly at T, its condition is the derivative of its velocity before the stop. The condition holds only if
 * its multiplier is not negative. */
#ifndef CONTROL_SQP_CONDITIONS_H
#define CONTROL_SQP_CONDITIONS_H

#include "control/sqp/sqp.h"

/* The active conditions at a point. Each is a column of derivatives with respect to the free variables, those that
 * no bound holds. All arrays of doubles are one block, owned by `columns`. */
typedef struct CtlConditions {
  int n, count, rank; /* n: number of free variables. count: number of conditions. rank: rank of the matrix of the
                       * columns. */
  int targets;        /* number of rows of targets, which are the first conditions */
  int *free;          /* [n] index in u of each free variable; owned */
  int *of;            /* [count] for the condition of a target: index of its row in the linear problem (linear.h);
                       * owned */
  double *columns;    /* [count][n] derivatives of each condition, scaled to length 1 */
  double *gradient;   /* [n] gradient H u of the effort J over the free variables; H is the Hessian of J */
  double *y;          /* [count] Lagrange multipliers of the conditions */
  double *residual;   /* [n] gradient H u + A'y of the Lagrangian, with the multipliers y, over the free variables */
  double *basis;      /* [n][n] orthonormal directions; along the last n - rank of them no condition changes */
  bool no_memory;     /* whether memory was lacking for one of the computations */
} CtlConditions;

/* Prepares an empty set for up to `most` conditions at u [n]. Finds the free variables, those that no bound holds. The
 * caller fills the gradient. Returns false when out of memory; clear the set then, too. */
bool ctl_conditions_init(CtlConditions *c, const CtlProblem *problem, const double *u, int most);
/* Adds a condition, given by its row over all variables. */
void ctl_conditions_add(CtlConditions *c, const double *row);

/* Collects the conditions at s->at, where the linear problem is set up, without the rows marked in `dropped`. Returns false
 * when out of memory; clear the set then, too. */
bool ctl_conditions_find(const CtlSqp *s, const bool *dropped, CtlConditions *c);
void ctl_conditions_clear(CtlConditions *c);

/* Computes the rank, the least-squares multipliers and the null space. Returns false when out of memory or if LAPACK
 * fails. */
bool ctl_conditions_solve(CtlConditions *c);

/* Returns the rank of the targets' rows alone; -1: unknown. */
int ctl_conditions_target_rank(CtlConditions *c);

/* Marks one condition in `dropped`: of the dofs that stop exactly at T, that with the most negative multiplier. Returns
 * whether there was one. */
bool ctl_conditions_drop_worst(const CtlSqp *s, const CtlConditions *c, bool *dropped);

/* Returns the norm of the directions in which J can fall: entries of H u + A'y of variables at bounds, and
 * multipliers of active rates, if they point into the permitted range. all: set to H u + A'y of all variables, [n]. */
double ctl_conditions_inward(const CtlSqp *s, const CtlConditions *c, double *all);

/* Whether row k of the linear problem (linear.h) is active: it is an equality, or belongs to a dof that stops exactly
 * at T. */
bool ctl_conditions_row_holds(const CtlSqp *s, int k);

/* Whether a bound holds u_i with equality. */
bool ctl_conditions_is_held(const CtlProblem *problem, const double *u, int i);

/* Returns 1 if u_i is as far above the same entry of u in the segment before as the rate limit permits, -1 if it is
 * as far below, and 0 if the rate limit is not active. */
int ctl_conditions_rate_side(const CtlProblem *problem, const double *u, int i);

double ctl_norm(int n, const double *a);

#endif
