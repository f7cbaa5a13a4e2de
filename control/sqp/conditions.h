/* Active conditions at a point u: rows of the targets, and bounds and rates that hold with equality. A dof that
 * stops exactly at T contributes its row before the stop if its multiplier is not negative. */
#ifndef CONTROL_SQP_CONDITIONS_H
#define CONTROL_SQP_CONDITIONS_H

#include "control/sqp/sqp.h"

/* The active conditions at a point, as columns over the free variables. One block, owned by `free`. */
typedef struct CtlConditions {
  int n, count, rank; /* free variables; conditions; rank of the columns */
  int targets;        /* number of targets' rows, which come first */
  int *free;          /* [n] variable behind each free one; owned */
  int *of;            /* [count] row of the linear problem behind each target; owned */
  double *columns;    /* [count][n] */
  double *gradient;   /* [n] H u */
  double *y;          /* [count] multipliers */
  double *residual;   /* [n] H u + A'y */
  double *basis;      /* [n][n]: the directions along which no condition changes are the last n - rank */
  bool no_memory;     /* memory was lacking for one of the computations */
} CtlConditions;

/* Prepares for up to `most` conditions at u [n]: without any, of the variables that no bound holds; the gradient is
 * to be filled. Returns false when out of memory; clear it then, too. */
bool ctl_conditions_init(CtlConditions *c, const CtlProblem *problem, const double *u, int most);
/* Adds a condition by its row over all variables. */
void ctl_conditions_add(CtlConditions *c, const double *row);

/* Collects the conditions at s->at, whose linear problem is set up, without the dropped rows. Returns false when out
 * of memory; clear it then, too. */
bool ctl_conditions_find(const CtlSqp *s, const bool *dropped, CtlConditions *c);
void ctl_conditions_clear(CtlConditions *c);

/* Computes the rank, the least-squares multipliers and the null space. Returns false when out of memory or if LAPACK
 * fails. */
bool ctl_conditions_solve(CtlConditions *c);

/* Returns the rank of the targets' rows alone; -1: unknown. */
int ctl_conditions_target_rank(CtlConditions *c);

/* Drops the stop at T with the most negative multiplier. Returns whether there was one. */
bool ctl_conditions_drop_worst(const CtlSqp *s, const CtlConditions *c, bool *dropped);

/* Norm of H u + A'y of entries held by bounds, and of multipliers of rates, where they point inside, so that J can
 * fall. all: [n] becomes H u + A'y of all variables. */
double ctl_conditions_inward(const CtlSqp *s, const CtlConditions *c, double *all);

/* Whether row k of the linear problem is active: an equality, or a dof that stops exactly at T. */
bool ctl_conditions_row_holds(const CtlSqp *s, int k);

/* Whether a bound holds u_i with equality. */
bool ctl_conditions_is_held(const CtlProblem *problem, const double *u, int i);

/* 1: the rate holds u_i above the value before it; -1: below; 0: not active. */
int ctl_conditions_rate_side(const CtlProblem *problem, const double *u, int i);

double ctl_norm(int n, const double *a);

#endif
