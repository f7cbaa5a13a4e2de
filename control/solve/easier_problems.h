/* The easier problems that give starts of a plan by their solutions (easier.h), and the budget that they share. */
#ifndef CONTROL_SOLVE_EASIER_PROBLEMS_H
#define CONTROL_SOLVE_EASIER_PROBLEMS_H

#include "control/solve/part.h"

enum { EASIER_LEAST = 10 /* smallest number of evaluations of a start of an easier problem */ };

typedef struct Easier {
  CtlPlan *plan;
  CtlProblem *whole; /* search problem of the plan */
  const CtlStop *stop;
  long most; /* budget of evaluations of all easier problems */
  long *evaluations;
  int to_come;           /* number of searches still to come after the present one */
  int share_count;       /* number of shares of the part that is searched */
  PlanShare *share;      /* [] shares of the part, room for n (times + 1) */
  bool *kept;            /* [m] whether each value belongs to the part */
  double *points;        /* [][n] solutions of the easier problems */
  int count;             /* number of solutions in `points` */
  double *next;          /* [n] start of the next problem */
  double *values, *rows; /* values and rows of one evaluation */
} Easier;

/* Returns the evaluations for each of `searches` searches that come before e->to_come others; 0 if none are left. */
long easier_share(const Easier *e, int searches);
/* Returns the same for a search; 0 if they are too few for one. */
long easier_share_of_search(const Easier *e, int searches);

/* Adds a share of the part: variable `of` of the plan is `share` times variable `variable` of the part. */
void easier_add_share(Easier *e, int of, int variable, double share);

/* Evaluates a point into e->values and, unless NULL, rows. */
SimStatus easier_evaluate(const Easier *e, const double *point, double *rows);

/* Sets point to the best of the part of e->share and e->kept, searched from `from` and some random
 * starts with at most `most` evaluations. */
SimStatus easier_search_part(const Easier *e, const double *from, long most, double *point);

enum { EASIER_NO_DOF = -1, EASIER_SEVERAL_DOFS = -2 };

/* Returns the only dof with a nonzero weight, EASIER_NO_DOF or EASIER_SEVERAL_DOFS. weights: [d], or NULL: all are 0.
 * */
int easier_only_dof(int d, const double *weights);

/* Sets T of the point, or the lengths of its segments, to `end` within the bounds. Returns the resulting T. */
double easier_set_end(const CtlPlan *plan, double end, double *point);

/* Whether T is free: it is a variable, or lengths are and no constraint fixes their sum. */
bool easier_varies_end(const CtlPlan *plan);

/* Returns the number of times that are variables. */
int easier_count_times(const CtlPlan *plan);

/* The next six functions find a start from a point `from` [n], the solution of an easier problem, add it, if there is
 * one, at e->points + e->count n, and count it. Each returns SIM_OK, SIM_NO_MEMORY, SIM_CANCELLED if stopped, or
 * SIM_BAD_PROBLEM. */
SimStatus easier_path(Easier *e, const double *from);        /* forces along a smooth path; no search */
SimStatus easier_effort(Easier *e, const double *from);      /* least effort at T */
SimStatus easier_without_way(Easier *e, const double *from); /* the plan without limits and via points */
SimStatus easier_one_by_one(Easier *e, const double *from);  /* groups of variables that do not act on each other */
SimStatus easier_times(Easier *e, const double *from);       /* times of via points at equal parts of T */
SimStatus easier_turns(Easier *e, const double *from);       /* at rest at via points where the motion turns round */

#endif
