/* Parts of how far a ladder of relaxations has come, as bytes. Each function writes its value or reads it, as those of control/base/bytes.h. */
#ifndef CONTROL_BOUND_SAVED_H
#define CONTROL_BOUND_SAVED_H

#include "control/base/bytes.h"
#include "control/bound/cases.h"

/* What is asked, of d dof and n variables: what is read must be the same. */
void bound_saved_question(CtlBytes *bytes, const CtlLowerBoundOptions *options, int d, int n);

/* Of a problem's dual mean: any numbers that are finite, any ways. */
void bound_saved_mean(CtlBytes *bytes, const CtlProblem *problem, const CtlBoundMean *mean);

/* What has been proven, up to effort; but for the relaxation. */
void bound_saved_proven(CtlBytes *bytes, double effort, CtlLowerBound *bound);

/* The list of cases and their counters, of d dof and with cuts between so many intervals, after a round. cases: of bound_cases_init. */
void bound_saved_cases(CtlBytes *bytes, int d, int intervals, BoundCases *cases);

#endif
