/* SPDX-License-Identifier: BSD-2-Clause */
/* A bundle method that minimises a statistic of the errors e_s of the final state in many scenarios s. Each step
 * minimises, inside a box about the current point `at` and within the bounds of u,
 *
 *   J(u) + rho stat_s e_s(u),  e_s = max_i |r_i + a_i'(u - at)|/unit_i over x(T) + the same over v(T)
 *
 * where stat is the statistic over the scenarios. The distances of the final state from the target, r_i (called
 * misses), are linearised about the point `at`, with derivatives a_i and scales unit_i. e_s is the maximum of linear
 * pieces. A quadratic problem minimises the sum with only the largest pieces of all e_s, the bundle. The step is
 * accepted if J + rho stat also falls for the simulated motions. Otherwise the box shrinks. */
#ifndef CONTROL_BUNDLE_H
#define CONTROL_BUNDLE_H

#include "control/base/bytes.h"
#include "control/internal.h"
#include "control/sqp/qp.h"

/* Data that all runs on one problem share. */
typedef struct CtlBundleShared {
  const CtlProblem *problem; /* borrowed */
  int n, m, scenarios;       /* number of variables, of rows, and of scenarios. A row is one miss (distance from the
                              * target) of one scenario */
  int tops; /* number of auxiliary variables t of the quadratic problem, which follow the variables u. They are upper
             * bounds of the errors e_s: one per scenario if the statistic is the mean, otherwise one for all. */
  double rho;
  int *entry;    /* [m] for each row the index of its entry of x(T) or v(T), counted over all scenarios; owned, like the
                  * other arrays here */
  int *first;    /* [2][scenarios + 1] rows of each scenario s: for k = 0, x(T), and k = 1, v(T), they are first[k][s]
                  * .. first[k][s + 1] - 1 */
  double *unit;  /* [m] scale of each miss */
  double *miss;  /* [m] linearised misses at `point`, from the linearisation about the current point of a run */
  double *error; /* [scenarios] error e_s of each scenario at `point` */
  double *point; /* [n] a solution of the quadratic problem; the linearised misses and errors are computed at this
                  * point */
  CtlQp qp;
} CtlBundleShared;

/* Initialises the data shared by runs. problem: must have scenarios. Returns false when out of memory; the data must be
 * cleared then, too. */
bool ctl_bundle_shared_init(CtlBundleShared *shared, const CtlProblem *problem);
void ctl_bundle_shared_clear(CtlBundleShared *shared);

typedef struct CtlBundle {
  CtlBundleShared *shared; /* borrowed */
  double *at, *trial;      /* [n] current control; [n] next trial control; owned, in one allocation with miss and
                            * rows */
  double *miss;            /* [m] misses: differences x(T) - x_T and v(T) - v_T of the final state and the target, at
                            * the current point */
  double *rows;            /* [m][n] derivatives of the misses; 0 for dofs that have stopped before T */
  double P;                /* objective J + rho stat at the current point */
  double promised;         /* decrease of the merit P that the linearised problem predicts for the trial point */
  double radius;           /* half-width of the box around the current control in which the trial must lie, in N */
  double price;            /* additional weight of the effort J by which J is kept at or below effort_at_most */
  double enough;           /* smallest predicted decrease, relative to the merit P, with which a run continues */
  long tried;              /* number of trials evaluated so far */
  double looked, fall;     /* looked: merit P at the last check of progress; fall: decrease of P between the last two
                            * checks */
  bool begun, ended;
  bool due; /* whether the next trial point must still be computed */
} CtlBundle;

bool ctl_bundle_init(CtlBundle *bundle, CtlBundleShared *shared);
void ctl_bundle_clear(CtlBundle *bundle);
/* Begins a run at a control [n], which is moved into the bounds. shared: data of the problem, borrowed. enough: the
 * field of the run. */
void ctl_bundle_start(CtlBundle *bundle, CtlBundleShared *shared, const double *control, double enough);
/* Accepts the final states x, v of the trial's motions in all scenarios. rows: derivatives in the layout of CtlOutcome.
 * x is NULL if a motion failed. Afterwards a next trial is due, or the run has ended. */
void ctl_bundle_tell(CtlBundle *bundle, const double *x, const double *v, const double *rows);
/* Computes the next trial of a run, if one is due. Each call solves one linearised problem, and reduces the box if the
 * predicted decrease is not sufficient. Afterwards the trial is known, another call is due, or the run has ended. */
void ctl_bundle_go_on(CtlBundle *bundle);
/* Whether the merit of a run will soon fall below the value P if it continues to decrease at its recent rate. */
bool ctl_bundle_may_reach(const CtlBundle *bundle, double P);
void ctl_bundle_serialize(CtlBundle *bundle, CtlBytes *bytes);

/* Solves the problem linearised about bundle->at and stores the solution in bundle->trial. Returns J + rho stat of the
 * linearised problem at this solution, or INFINITY if there is no solution. */
double ctl_bundle_step(CtlBundle *bundle);

#endif
