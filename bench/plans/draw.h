/* Random problems for bench-plans, of each kind that a plan may have. A motion of a random control meets the
 * conditions of each: they are put around it. */
#ifndef BENCH_PLANS_DRAW_H
#define BENCH_PLANS_DRAW_H

#include "bench/plans/trial.h"

/* Writes the text of problem `number`. */
void draw_problem(int number, char text[PLAN_TEXT_SIZE]);

#endif
