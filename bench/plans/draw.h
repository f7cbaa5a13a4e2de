/* SPDX-License-Identifier: BSD-2-Clause */
/* Random problems for bench-plans, of each kind that a motion plan may have. Each is drawn together with a control. Its
 * conditions are chosen so that the motion of this control meets them; so each problem has a solution. */
#ifndef BENCH_PLANS_DRAW_H
#define BENCH_PLANS_DRAW_H

#include "bench/plans/trial.h"

/* Writes the problem with this number as the text of a problem file. The same number always gives the same problem. */
void draw_problem(int number, char text[PLAN_TEXT_SIZE]);

#endif
