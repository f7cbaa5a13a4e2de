/* SPDX-License-Identifier: BSD-2-Clause */
/* Serialisation of the progress of a sequence of relaxations. Like the functions of control/base/bytes.h, each function
 * writes or reads its argument. */
#ifndef CONTROL_BOUND_SAVED_H
#define CONTROL_BOUND_SAVED_H

#include "control/base/bytes.h"
#include "control/bound/cases.h"

/* Writes or reads the options that the result depends on, for d dof and n variables. If the saved options differ from
 * these, reading sets bytes->bad. */
void bound_saved_question(CtlBytes *bytes, const CtlLowerBoundOptions *options, int d, int n);

/* Writes or reads the mean motion. Reading accepts any finite numbers and any directions of slip. */
void bound_saved_mean(CtlBytes *bytes, const CtlProblem *problem, const CtlBoundMean *mean);

/* Writes or reads the bound proven so far, which is at most effort. The name of the relaxation that gave the bound is
 * not included. */
void bound_saved_proven(CtlBytes *bytes, double effort, CtlLowerBound *bound);

/* Writes or reads the list of subproblems and its counts after a round, for d dof and a number of intervals.
 * subproblems: initialised by bound_cases_init. */
void bound_saved_cases(CtlBytes *bytes, int d, int intervals, BoundCases *cases);

#endif
