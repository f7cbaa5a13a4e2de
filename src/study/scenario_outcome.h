/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of a control (or of u = 0) in all scenarios: the misses, i.e. distances of the final states from the target,
 * and how much they depend on each varied key. */
#ifndef SRC_STUDY_SCENARIO_OUTCOME_H
#define SRC_STUDY_SCENARIO_OUTCOME_H

#include "src/results/results.h"
#include "src/study/scenario_misses.h"

typedef struct ScenarioOutcome {
  const ScenarioSet *set; /* borrowed */
  bool targets;           /* whether the problem has a target, so that misses and order are defined */
  double *states;         /* [count][2 d] x(T), v(T); NAN if the motion has failed; owned, as are the other arrays */
  double *misses;         /* [count][2] distances E1 and E2 of the final position and velocity from the target; INFINITY
                           * if the motion has failed */
  double *miss;           /* [count] E1 + E2 */
  long *order;            /* [count] scenarios in the order of increasing E1 + E2, and of their numbers if these are
                           * equal */
  long failed;            /* number of failed motions */
  double *state;          /* [2 d] x(T), v(T) with the numbers of the file */
  double *rates;          /* [2 d][n] derivatives of `state` by the random variables z; NULL: not known */
  double *slopes;         /* [2 d][n] slopes of the plane that is nearest to the final states; NULL: not determined */
} ScenarioOutcome;

/* Function that simulates the scenarios in place of scenario_set_run, with the same result. */
typedef struct ScenarioRunner {
  void *context;
  int (*run)(void *context, const double *control, double *states);
} ScenarioRunner;

/* Simulates all scenarios with a control ([variables]; NULL: 0). runner: function that simulates them; NULL: the ranks
 * of the group do. Collective over the set's group; the first rank has the results. Returns 0, EXIT_STOPPED after a
 * signal, or EXIT_INTERNAL after reporting an error. The caller calls scenario_outcome_clear in each case. */
int scenario_outcome_find(ScenarioSet *set, const double *control, const ScenarioRunner *runner, Progress *progress,
                          Diagnostics *diagnostics, ScenarioOutcome *outcome);
void scenario_outcome_clear(ScenarioOutcome *outcome);

/* Returns outcome.scenarios. The caller owns the reference; NULL: no memory. Defined in scenario_tell.c. */
json_t *scenario_outcome_json(const ScenarioOutcome *outcome);
/* Prints the results in a few lines. */
void scenario_outcome_print(const ScenarioOutcome *outcome);
/* Writes scenarios.csv with a row for each scenario. It has the number of the scenario, its value in each dimension,
 * E1, E2, E1 + E2, the fraction of all scenarios with at most this sum, x(T) and v(T). Returns 0 or EXIT_INTERNAL. */
int scenario_outcome_write(const ScenarioOutcome *outcome, const Results *results);
/* Warns about failed motions. */
void scenario_outcome_warn(const ScenarioOutcome *outcome, Diagnostics *diagnostics);

#endif
