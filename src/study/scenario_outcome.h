/* SPDX-License-Identifier: BSD-2-Clause */
/* The outcome of a control (or of u = 0) in all scenarios: the misses, and the keys on which they depend. */
#ifndef SRC_STUDY_SCENARIO_OUTCOME_H
#define SRC_STUDY_SCENARIO_OUTCOME_H

#include "src/results/results.h"
#include "src/study/scenario_misses.h"

typedef struct ScenarioOutcome {
  const ScenarioSet *set; /* borrowed */
  bool targets;           /* whether there is a target, so that misses and order are known */
  double *states;         /* [count][2 d] x(T), v(T); NAN if the motion has failed; owned, like the other arrays */
  double *misses;         /* [count][2] E1, E2; INFINITY if the motion has failed */
  double *miss;           /* [count] E1 + E2 */
  long *order;            /* [count] scenarios in the order of increasing E1 + E2, then by number */
  long failed;            /* number of failed motions */
  double *state;          /* [2 d] x(T), v(T) with the numbers of the file */
  double *rates;          /* [2 d][n] derivatives of `state` by the random variables z; NULL: none */
  double *slopes;         /* [2 d][n] slopes of the plane nearest to the final states; NULL: not determined */
} ScenarioOutcome;

/* Simulates the scenarios instead of scenario_set_run, with the same result. */
typedef struct ScenarioRunner {
  void *context;
  int (*run)(void *context, const double *control, double *states);
} ScenarioRunner;

/* Simulates all scenarios under a control ([variables]; NULL: 0). runner: simulates them; NULL: the ranks of the group
 * do. Collective over the set's group; its first rank has the outcome. Returns 0, EXIT_STOPPED on a signal, or
 * EXIT_INTERNAL after reporting an error. Call scenario_outcome_clear in each case. */
int scenario_outcome_find(ScenarioSet *set, const double *control, const ScenarioRunner *runner, Progress *progress,
                          Diagnostics *diagnostics, ScenarioOutcome *outcome);
void scenario_outcome_clear(ScenarioOutcome *outcome);

/* Returns outcome.scenarios: a new reference; NULL: no memory. In scenario_tell.c. */
json_t *scenario_outcome_json(const ScenarioOutcome *outcome);
/* Prints the outcome in a few lines. */
void scenario_outcome_print(const ScenarioOutcome *outcome);
/* Writes scenarios.csv with a row for each scenario: its number, its value in each dimension, E1, E2, E1 + E2, the
 * fraction of all scenarios that miss by no more, x(T), v(T). Returns 0 or EXIT_INTERNAL. */
int scenario_outcome_write(const ScenarioOutcome *outcome, const Results *results);
/* Warns about failed motions. */
void scenario_outcome_warn(const ScenarioOutcome *outcome, Diagnostics *diagnostics);

#endif
