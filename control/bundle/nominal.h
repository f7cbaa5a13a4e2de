/* SPDX-License-Identifier: BSD-2-Clause */
/* Least effort for the unperturbed parameters, by SQP (control/sqp) from a few initial controls side by side. The
 * answer is the initial control for the minimisation of a statistic over the scenarios. The limit effort_at_most is
 * ignored here. The minimisation that begins at the answer enforces it. */
#ifndef CONTROL_NOMINAL_H
#define CONTROL_NOMINAL_H

#include "control/motion.h"
#include "control/sqp/sqp.h"

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
  /* given: [n] initial control of the first run. free: [n] control of least effort when all friction is removed. Both
   * are owned, in one block with best. */
  double *given, *free;
  double *best;     /* [n] best control so far: the lowest effort J among controls that meet the target, otherwise the
                     * smallest sum of the errors of the final state */
  double *rows;     /* derivatives of the final state's errors by the control, for one motion, as CtlOutcome.rows */
  double misses, J; /* sum of the errors of the final state for `best`; effort J of `best`; INFINITY before the first
                     * control is known */
  bool free_known;
} CtlNominal;

/* Initialises the data. problem: one with scenarios; borrowed. Returns false when out of memory; clear the data then,
 * too. */
bool ctl_nominal_init(CtlNominal *nominal, const CtlProblem *problem);
void ctl_nominal_clear(CtlNominal *nominal);
void ctl_nominal_start(CtlNominal *nominal, const double *given);
/* Accepts the final state of a trial's motion. x, v and rows contain this state and its derivatives once per scenario.
 * x is NULL if the motion failed. */
void ctl_nominal_tell(CtlNominal *nominal, int trail, const double *x, const double *v, const double *rows);
/* Called after all trials of a round: continues ended runs with their next motions or removes them, and begins
 * others. */
void ctl_nominal_go_on(CtlNominal *nominal);
void ctl_nominal_serialize(CtlNominal *nominal, CtlBytes *bytes);

#endif
