/* SPDX-License-Identifier: BSD-2-Clause */
/* Minimises the effort for the unperturbed parameters, by SQP (control/sqp) from a few initial controls at the same
 * time. The solution is the initial control for the minimisation of a statistic over the scenarios. The limit
 * effort_at_most is ignored here; the minimisation that begins at the solution enforces it. */
#ifndef CONTROL_NOMINAL_H
#define CONTROL_NOMINAL_H

#include "control/motion.h"
#include "control/sqp/sqp.h"

/* maximum number of runs at a time */
enum { CTL_NOMINAL_STARTS = 4 };

typedef struct CtlNominalTrail {
  CtlSqp sqp;
  CtlMotion motion; /* motion that the run simulates at present */
} CtlNominalTrail;

typedef struct CtlNominal {
  CtlProblem problem; /* problem with one motion instead of one per scenario; its parameters are unperturbed. It borrows
                       * the arrays of the problem with scenarios, and uses only their first part */
  int scenarios;
  CtlSqpShared shared;
  CtlNominalTrail trails[CTL_NOMINAL_STARTS]; /* runs, of which the first `active` are in progress */
  int active;
  long begun; /* number of starts that have begun */
  /* given: [n] initial control of the first run. free: [n] control of least effort without friction. Both are owned, in
   * one allocation with best. */
  double *given, *free;
  double *best;     /* [n] best control so far: the one with the lowest effort J among controls that meet the target or,
                     * if there is none, the one with the smallest E1 + E2 */
  double *rows;     /* derivatives of the final state with respect to the control, for one motion, in the layout of
                     * CtlOutcome.rows */
  double misses, J; /* E1 + E2 of `best`; effort J of `best`; INFINITY before the first control is known */
  bool free_known;
} CtlNominal;

/* Initialises the data. problem: the problem with scenarios; borrowed. Returns false when out of memory; the data must
 * be cleared then, too. */
bool ctl_nominal_init(CtlNominal *nominal, const CtlProblem *problem);
void ctl_nominal_clear(CtlNominal *nominal);
void ctl_nominal_start(CtlNominal *nominal, const double *given);
/* Accepts the final state of the motion of a trial. In x, v and rows this state and its derivatives are repeated once
 * per scenario. x is NULL if the motion failed. */
void ctl_nominal_tell(CtlNominal *nominal, int trail, const double *x, const double *v, const double *rows);
/* Called after all trials of a round: continues ended runs with their next motions or removes them, and begins new
 * runs. */
void ctl_nominal_go_on(CtlNominal *nominal);
void ctl_nominal_serialize(CtlNominal *nominal, CtlBytes *bytes);

#endif
