/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers pattern queries. A query asks for the control of least effort for a motion with a certain pattern of stick
 * and slip (pattern.h). An evaluator receives it as a point with a special motion (control/motion.h). */
#ifndef CONTROL_PATTERN_ANSWER_H
#define CONTROL_PATTERN_ANSWER_H

#include "control/motion.h"
#include "control/pattern/pattern.h"

typedef struct PatternAnswers PatternAnswers;

/* Creates the object that answers queries. It uses the problem's bounds, rates, weight and targets. All arguments are
 * borrowed. Returns NULL when out of memory. */
PatternAnswers *pattern_answers_create(const CtlProblem *problem, const SimProblem *sim, const SimModel *model,
                                       SimWorkspace *work);
void pattern_answers_destroy(PatternAnswers *answers); /* may be NULL */

/* Answers a query. motion: CTL_MOTION_SEED, _SHIFTED or _WAYS (control/motion.h). segments: number of segments of
 * the point. Sets final->x[0] to the least effort J of the pattern found, and final->status to SIM_NOT_CONVERGED if
 * there is none. final->iterations is the number of patterns examined; the patterns that were examined to rank the
 * seeds are not counted. row: set to the control found, [segments][p]. */
void pattern_answer(PatternAnswers *answers, int motion, int segments, const double *control, SimFinal *final,
                    double *row);

#endif
