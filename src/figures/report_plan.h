/* The part of a report that is of a motion plan's answer. */
#ifndef SRC_REPORT_PLAN_H
#define SRC_REPORT_PLAN_H

#include "src/results/run_results.h"

/* Whether a run has such an answer. */
bool report_has_plan(const RunResults *run);

/* What has come out, in a sentence, up to how the search ended. */
void report_plan_outcome(FILE *page, const RunResults *run);
/* Its quantities, a row each. */
void report_plan_quantities(FILE *page, const RunResults *run);

#endif
