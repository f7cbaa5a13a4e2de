/* What an evaluator answers to questions about patterns, as if they were points (control/motion.h): what is asked of a point of so many
 * segments, and where the answer stands. */
#ifndef CONTROL_PATTERN_ANSWER_H
#define CONTROL_PATTERN_ANSWER_H

#include "control/motion.h"
#include "control/pattern/pattern.h"

typedef struct PatternAnswers PatternAnswers;

/* Of the problem's bounds, rates, weight and targets; all borrowed. NULL: out of memory. */
PatternAnswers *pattern_answers_create(const CtlProblem *problem, const SimProblem *sim, const SimModel *model,
                                       SimWorkspace *work);
void pattern_answers_destroy(PatternAnswers *answers); /* NULL: nothing */

/* motion: CTL_MOTION_SEED, _SHIFTED or _WAYS, of a point of so many segments. final->x[0]: J of the pattern found; its status is SIM_NOT_CONVERGED where
 * there is none; its iterations are the patterns looked at, but those of all seeds. row: the control found, [segments][p]. */
void pattern_answer(PatternAnswers *answers, int motion, int segments, const double *control, SimFinal *final,
                    double *row);

#endif
