/* Serialisation of the progress of a sequence of relaxations. Each function writes or reads its value, like those of
 * control/base/bytes.h. */
#ifndef CONTROL_BOUND_SAVED_H
#define CONTROL_BOUND_SAVED_H

#include "control/base/bytes.h"
#include "control/bound/cases.h"

/* The options, for d dof and n variables. Reading fails if they differ. */
void bound_saved_question(CtlBytes *bytes, const CtlLowerBoundOptions *options, int d, int n);

/* The mean of a problem's dual. Reading accepts any finite numbers and any directions. */
void bound_saved_mean(CtlBytes *bytes, const CtlProblem *problem, const CtlBoundMean *mean);

/* The bound proven so far, up to effort, without its relaxation. */
void bound_saved_proven(CtlBytes *bytes, double effort, CtlLowerBound *bound);

/* The list of cases and its counters after a round, for d dof and a number of intervals. cases: initialised by
 * bound_cases_init. */
void bound_saved_cases(CtlBytes *bytes, int d, int intervals, BoundCases *cases);

#endif
