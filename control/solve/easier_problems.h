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
  int to_come;           /* number of searches that remain after the present one */
  int share_count;       /* number of entries of the array `share` */
  PlanShare *share;      /* [share_count] relations between the variables of the plan and those of the part that is
                          * searched (part.h); the array has n * (times + 1) entries */
  bool *kept;            /* [m] whether each value of the plan is also one of the part */
  double *points;        /* [][n] solutions of the easier problems */
  int count;             /* number of solutions in `points` */
  double *next;          /* [n] initial point of the next problem */
  double *values, *rows; /* values of the plan at one point, and their derivatives (CtlOutcome.rows) */
} Easier;

/* Returns the number of evaluations that each of the next `searches` searches may use if e->to_come other searches
 * follow: an equal share of the remaining budget; 0 if none is left. */
long easier_share(const Easier *e, int searches);
/* Returns easier_share(e, searches), or 0 if it is below EASIER_LEAST and thus too small for a search. */
long easier_share_of_search(const Easier *e, int searches);

/* Adds a relation: variable `of` of the plan is `share` times variable `variable` of the part that is searched. */
void easier_add_share(Easier *e, int of, int variable, double share);

/* Evaluates the values of the plan at a point into e->values, and their derivatives into rows unless it is NULL. */
SimStatus easier_evaluate(const Easier *e, const double *point, double *rows);

/* Searches the part that e->share and e->kept define, from the point `from` and some random initial points, with at
 * most `most` evaluations. Sets point to the best point found. */
SimStatus easier_search_part(const Easier *e, const double *from, long most, double *point);

/* results of easier_only_dof if no dof, or more than one, has a nonzero weight */
enum { EASIER_NO_DOF = -1, EASIER_SEVERAL_DOFS = -2 };

/* Returns the only dof with a nonzero weight, EASIER_NO_DOF or EASIER_SEVERAL_DOFS. weights: [d]; NULL: all are 0. */
int easier_only_dof(int d, const double *weights);

/* Finds targets at T of single positions and velocities that meet the plan's linear conditions at T. first: [2 d]
 * initial state, x0 then v0. target: [2 d] x then v; NAN: no target. A condition on a single entry gives the target of
 * this entry, an inequality only if the initial state violates it. The remaining entries that occur in conditions on
 * sums get the values of the state that meets all conditions and is nearest to the initial state, but only if an
 * equality contains the entry, or if the value differs from the initial one. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus easier_targets(const CtlPlan *plan, const double *first, double *target);

/* Sets the end time T of the point, or the lengths of its segments, so that T is `end` or the nearest value within the
 * bounds. Returns the resulting T. */
double easier_set_end(const CtlPlan *plan, double end, double *point);

/* Whether the end time T may change: it is a variable, or lengths of segments are variables and no constraint fixes
 * their sum. */
bool easier_varies_end(const CtlPlan *plan);

/* Returns the number of times that are variables. */
int easier_count_times(const CtlPlan *plan);

/* Each of the next seven functions finds an initial point. It begins at the point `from` [n], the solution of an easier
 * problem. If it succeeds, it stores the result at e->points + e->count n and increments e->count. It returns SIM_OK,
 * SIM_NO_MEMORY, SIM_CANCELLED if stopped, or SIM_BAD_PROBLEM. */
SimStatus easier_path(Easier *e, const double *from);        /* forces along a smooth path; no search */
SimStatus easier_effort(Easier *e, const double *from);      /* the control of least effort for a given T */
SimStatus easier_without_way(Easier *e, const double *from); /* the plan without limits and via points */
SimStatus easier_one_by_one(Easier *e, const double *from);  /* groups of variables that do not act on each other */
SimStatus easier_times(Easier *e, const double *from);       /* the plan with times of via points at equal fractions of
                                                              * T */
SimStatus easier_turns(Easier *e, const double *from);       /* the plan with velocity 0 at via points where the motion
                                                              * reverses */
SimStatus easier_stops(Easier *e, const double *from);       /* the plan with limits of position instead of rigid
                                                              * stops */

/* Whether the plan has rigid stops that limits can replace. */
bool easier_has_stops(const CtlPlan *plan);

#endif
