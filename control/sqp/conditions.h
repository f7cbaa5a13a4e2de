/* What holds at a point u: the targets' rows (of a dof that stops just at T its row before the stop, if its multiplier is not
 * negative), and the bounds and rates that are met exactly. */
#ifndef CONTROL_SQP_CONDITIONS_H
#define CONTROL_SQP_CONDITIONS_H

#include "control/sqp/sqp.h"

/* The conditions that hold at a point, as columns over the free variables; in one block, owned by the first. */
typedef struct CtlConditions {
  int n, count, rank; /* free variables; conditions */
  int targets;        /* the first so many are targets' rows */
  int *free;          /* [n] variable of each; owned */
  int *of;            /* [count] row of the linear problem, of a target; owned */
  double *columns;    /* [count][n] */
  double *gradient;   /* [n] H u */
  double *y;          /* [count] multipliers */
  double *residual;   /* [n] H u + A'y */
  double *basis;      /* [n][n]: the directions along which no condition changes are the last n - rank */
  bool no_memory;     /* for something that was to be found of them */
} CtlConditions;

/* At s->at, whose linear problem is laid out, without the rows that are dropped. Returns false when out of memory; to be cleared,
 * too. */
bool ctl_conditions_find(const CtlSqp *s, const bool *dropped, CtlConditions *c);
void ctl_conditions_clear(CtlConditions *c);

/* Rank, multipliers by least squares, what no condition holds. Returns false when out of memory, or LAPACK fails. */
bool ctl_conditions_solve(CtlConditions *c);

/* Rank of the targets' rows alone; -1: not known. */
int ctl_conditions_target_rank(CtlConditions *c);

/* Drops the worst of the stops that would rather give way. Returns whether there was one. */
bool ctl_conditions_drop_worst(const CtlSqp *s, const CtlConditions *c, bool *dropped);

/* Norm of H u + A'y of entries that bounds hold, and of multipliers of rates, where they point inside: J can fall there. all: [n]
 * becomes H u + A'y of all variables. */
double ctl_conditions_inward(const CtlSqp *s, const CtlConditions *c, double *all);

/* Whether row k of the linear problem holds: an equality, or a dof that stops just at T. */
bool ctl_conditions_row_holds(const CtlSqp *s, int k);

/* Whether a bound holds u_i. */
bool ctl_conditions_is_held(const CtlProblem *problem, const double *u, int i);

/* +-1: the rate holds u_i above, below the one before it; 0: it does not. */
int ctl_conditions_rate_side(const CtlProblem *problem, const double *u, int i);

double ctl_norm(int n, const double *a);

#endif
