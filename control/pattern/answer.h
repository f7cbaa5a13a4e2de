/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates pattern queries. A query requests the control of least effort for a motion with a certain pattern of
 * stick and slip (pattern.h). An evaluator receives it as a point with a special value of CtlWant.motion
 * (control/motion.h). */
#ifndef CONTROL_PATTERN_ANSWER_H
#define CONTROL_PATTERN_ANSWER_H

#include "control/motion.h"
#include "control/pattern/pattern.h"

typedef struct PatternAnswers PatternAnswers;

/* Creates the data for queries. They use the problem's bounds, rates, weight and targets. All arguments are borrowed.
 * Returns NULL when out of memory. */
PatternAnswers *pattern_answers_create(const CtlProblem *problem, const SimProblem *sim, const SimModel *model,
                                       SimWorkspace *work);
void pattern_answers_destroy(PatternAnswers *answers); /* answers: may be NULL */

/* Evaluates a query. motion: CTL_MOTION_SEED, CTL_MOTION_SHIFTED or CTL_MOTION_WAYS (control/motion.h). segments:
 * number of segments of the point `control`. Sets final->x[0] to the least effort J of the pattern found, and
 * final->status to SIM_NOT_CONVERGED if there is no such pattern. final->iterations is the number of patterns examined,
 * without those examined to rank the seeds. row: set to the control found, [segments][p]. */
void pattern_answer(PatternAnswers *answers, int motion, int segments, const double *control, SimFinal *final,
                    double *row);

#endif
