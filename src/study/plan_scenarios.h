/* SPDX-License-Identifier: BSD-2-Clause */
/* The quantities of a solved motion plan in all scenarios, i.e. for other numbers of the model. */
#ifndef SRC_STUDY_PLAN_SCENARIOS_H
#define SRC_STUDY_PLAN_SCENARIOS_H

#include "src/file/sections/motion_plan.h"
#include "src/results/results.h"
#include "src/study/scenario_misses.h"

/* Results of a plan in all scenarios. The miss of a scenario is the largest violation of a constraint, divided by
 * max(1, |target|). */
typedef struct PlanScenarios {
  ScenarioSet *set;               /* borrowed; NULL: there are no scenarios */
  const CtlQuantityValue *answer; /* [quantities] values with the numbers of the file; borrowed */
  double *values;                 /* [count][quantities] values in each scenario; NAN if its motion has failed; owned,
                                   * as are the next two arrays */
  double *misses;                 /* [count]; INFINITY if the motion has failed */
  long *order;                    /* [count] scenarios in the order of increasing misses, and of their numbers if misses
                                   * are equal */
  long failed;                    /* number of failed motions */
} PlanScenarios;

/* Simulates a point [n] of the plan, its solution, in all scenarios of the set, in this process. answer: values of the
 * quantities at this point with the numbers of the file; borrowed. Returns 0, EXIT_STOPPED after a signal, or
 * EXIT_INTERNAL after reporting an error. The caller calls plan_scenarios_clear in each case. */
int plan_scenarios_find(ScenarioSet *set, const double *point, const CtlQuantityValue *answer, Progress *progress,
                        Diagnostics *diagnostics, PlanScenarios *scenarios);
void plan_scenarios_clear(PlanScenarios *scenarios);

/* Returns outcome.scenarios. The caller owns the reference; NULL: no memory. */
json_t *plan_scenarios_json(const PlanScenarios *scenarios);
/* Prints the distribution of the misses, and a line for each quantity. */
void plan_scenarios_print(const PlanScenarios *scenarios);
/* Writes scenarios.csv with a row for each scenario. It has the number of the scenario, its value in each dimension,
 * its miss, the fraction of all scenarios with at most this miss, and as many quantities as a table has columns.
 * Returns 0 or EXIT_INTERNAL. */
int plan_scenarios_write(const PlanScenarios *scenarios, const Results *results);
/* Warns about failed motions. */
void plan_scenarios_warn(const PlanScenarios *scenarios, Diagnostics *diagnostics);

#endif
