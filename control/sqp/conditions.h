/* Active conditions at a point u: rows of the targets, and bounds and rates that hold with equality. A dof that
 * stops exactly at T contributes its row before the stop if its multiplier is not negative. */
#ifndef CONTROL_SQP_CONDITIONS_H
#define CONTROL_SQP_CONDITIONS_H

#include "control/sqp/sqp.h"

/* The active conditions at a point, one column each over the free variables. All arrays are one block, owned by
 * `free`. */
typedef struct CtlConditions {
  int n, count, rank; /* number of free variables; number of conditions; rank of the columns */
  int targets;        /* number of rows of targets, which are the first conditions */
  int *free;          /* [n] index of the variable that each free one stands for; owned */
  int *of;            /* [count] row of the linear problem from which a target's condition stems; owned */
  double *columns;    /* [count][n] */
  double *gradient;   /* [n] H u */
  double *y;          /* [count] multipliers of the conditions */
  double *residual;   /* [n] H u + A'y */
  double *basis;      /* [n][n] directions; no condition changes along the last n - rank of them */
  bool no_memory;     /* whether memory was lacking for one of the computations */
} CtlConditions;

/* Prepares for up to `most` conditions at u [n]. The set is empty, and contains the variables that no bound holds. The
 * caller fills the gradient. Returns false when out of memory; clear the set then, too. */
bool ctl_conditions_init(CtlConditions *c, const CtlProblem *problem, const double *u, int most);
/* Adds a condition, given by its row over all variables. */
void ctl_conditions_add(CtlConditions *c, const double *row);

/* Collects the conditions at s->at, whose linear problem is set up, without the rows marked in `dropped`. Returns false
 * when out of memory; clear the set then, too. */
bool ctl_conditions_find(const CtlSqp *s, const bool *dropped, CtlConditions *c);
void ctl_conditions_clear(CtlConditions *c);

/* Computes the rank, the least-squares multipliers and the null space. Returns false when out of memory or if LAPACK
 * fails. */
bool ctl_conditions_solve(CtlConditions *c);

/* Returns the rank of the targets' rows alone; -1: unknown. */
int ctl_conditions_target_rank(CtlConditions *c);

/* Drops the stop at T with the most negative multiplier. Returns whether there was one. */
bool ctl_conditions_drop_worst(const CtlSqp *s, const CtlConditions *c, bool *dropped);

/* Norm of the parts along which J can fall: entries of H u + A'y at bounds, and multipliers of rates, if they point
 * inside. all: [n] becomes H u + A'y of all variables. */
double ctl_conditions_inward(const CtlSqp *s, const CtlConditions *c, double *all);

/* Whether row k of the linear problem is active: an equality, or a dof that stops exactly at T. */
bool ctl_conditions_row_holds(const CtlSqp *s, int k);

/* Whether a bound holds u_i with equality. */
bool ctl_conditions_is_held(const CtlProblem *problem, const double *u, int i);

/* Returns 1 if the rate limit keeps u_i from rising above the value before it by more, -1 if from falling below it, 0
 * if it is not active. */
int ctl_conditions_rate_side(const CtlProblem *problem, const double *u, int i);

double ctl_norm(int n, const double *a);

#endif
