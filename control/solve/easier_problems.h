/* SPDX-License-Identifier: BSD-2-Clause */
/* The easier problems that supply initial points, their solutions, for the search of a motion plan (easier.h), and
 * their common budget of evaluations. */
#ifndef CONTROL_SOLVE_EASIER_PROBLEMS_H
#define CONTROL_SOLVE_EASIER_PROBLEMS_H

#include "control/solve/part.h"

enum { EASIER_LEAST = 10 /* minimum number of evaluations for each initial point of an easier problem */ };

typedef struct Easier {
  CtlPlan *plan;
  CtlProblem *whole; /* search problem of the plan */
  const CtlStop *stop;
  long most; /* budget of evaluations of all easier problems */
  long *evaluations;
  int to_come;           /* number of searches that follow the present one */
  int share_count;       /* number of entries of share */
  PlanShare *share;      /* [share_count] entries that relate the variables of the plan to those of the part that is
                          * searched; there is memory for n * (times + 1) of them */
  bool *kept;            /* [m] whether each value of the plan is also one of the part */
  double *points;        /* [][n] solutions of the easier problems */
  int count;             /* number of solutions in `points` */
  double *next;          /* [n] initial point of the next problem */
  double *values, *rows; /* values of the plan at one point, and their derivatives (rows) */
} Easier;

/* Returns the number of evaluations that each of `searches` searches may use, if e->to_come other searches follow them:
 * an equal share of the remaining budget; 0 if none is left. */
long easier_share(const Easier *e, int searches);
/* Returns the number of evaluations that easier_share allows for one of these searches; 0 if it is below EASIER_LEAST,
 * too few for a search. */
long easier_share_of_search(const Easier *e, int searches);

/* Relates a variable of the plan to one of the part: variable `of` of the plan is `share` times variable `variable` of
 * the part. */
void easier_add_share(Easier *e, int of, int variable, double share);

/* Evaluates a point into e->values and, unless NULL, rows. */
SimStatus easier_evaluate(const Easier *e, const double *point, double *rows);

/* Searches the part that e->share and e->kept define, from the point `from` and some random initial points, with at
 * most `most` evaluations. Sets point to the best point found. */
SimStatus easier_search_part(const Easier *e, const double *from, long most, double *point);

enum { EASIER_NO_DOF = -1, EASIER_SEVERAL_DOFS = -2 };

/* Returns the only dof with a nonzero weight, EASIER_NO_DOF or EASIER_SEVERAL_DOFS. weights: [d], or NULL: all are 0.
 * */
int easier_only_dof(int d, const double *weights);

/* Finds targets at T of single positions and velocities with which the plan's linear conditions at T are met, for a
 * motion with the initial state first [2 d], x0 then v0. A condition on a single entry gives its target; an inequality
 * only if the initial state violates it. Entries that conditions on sums weigh, if they have no target by then, get
 * those of the state that meets all conditions and is nearest to the initial one: an entry only if an equality weighs
 * it, or if it differs from the initial one. target: [2 d], x then v; NAN: free. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus easier_targets(const CtlPlan *plan, const double *first, double *target);

/* Sets the end time T of the point, or the lengths of its segments, so that T is `end` within the bounds. Returns the
 * resulting T. */
double easier_set_end(const CtlPlan *plan, double end, double *point);

/* Whether the end time T may change: it is a variable, or lengths of segments are variables and no constraint fixes
 * their sum. */
bool easier_varies_end(const CtlPlan *plan);

/* Returns the number of times that are variables. */
int easier_count_times(const CtlPlan *plan);

/* The next seven functions find a start from a point `from` [n], the solution of an easier problem, add it, if there is
 * one, at e->points + e->count n, and count it. Each returns SIM_OK, SIM_NO_MEMORY, SIM_CANCELLED if stopped, or
 * SIM_BAD_PROBLEM. */
SimStatus easier_path(Easier *e, const double *from);        /* forces along a smooth path; no search */
SimStatus easier_effort(Easier *e, const double *from);      /* least effort at T */
SimStatus easier_without_way(Easier *e, const double *from); /* the plan without limits and via points */
SimStatus easier_one_by_one(Easier *e, const double *from);  /* groups of variables that do not act on each other */
SimStatus easier_times(Easier *e, const double *from);       /* times of via points at equal parts of T */
SimStatus easier_turns(Easier *e, const double *from);       /* at rest at via points where the motion turns round */
SimStatus easier_stops(Easier *e, const double *from);       /* rigid stops replaced by limits of the position */

/* Whether the plan has rigid stops that limits can replace. */
bool easier_has_stops(const CtlPlan *plan);

#endif
