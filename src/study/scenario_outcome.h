/* Outcome of a control, or of none, in all scenarios: their misses, and the keys that the misses depend on. */
#ifndef SRC_STUDY_SCENARIO_OUTCOME_H
#define SRC_STUDY_SCENARIO_OUTCOME_H

#include "src/results/results.h"
#include "src/study/scenario_set.h"

typedef struct ScenarioOutcome {
  const ScenarioSet *set; /* borrowed */
  bool targets;           /* there is a target, so misses and order are known */
  double *states;         /* [count][2 d] x(T), v(T); NAN if the motion has failed; owned, like the other arrays */
  double *misses;         /* [count][2] E1, E2; INFINITY if the motion has failed */
  long *order;            /* [count] by increasing E1 + E2, then by number */
  long failed;            /* number of failed motions */
  double *state;          /* [2 d] with the numbers of the file */
  double *rates;          /* [2 d][n] derivatives with respect to z; NULL: none */
  double *slopes;         /* [2 d][n] slopes of the plane nearest to the scenarios; NULL: not determined */
} ScenarioOutcome;

/* Simulates in place of scenario_set_run, with the same result. */
typedef struct ScenarioRunner {
  void *context;
  int (*run)(void *context, const double *control, double *states);
} ScenarioRunner;

/* Simulates all scenarios under a control ([variables]; NULL: 0). Collective over the set's group; its first rank has the outcome. runner:
 * NULL: the ranks of the group. scenario_outcome_clear follows in each case. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting. */
int scenario_outcome_find(ScenarioSet *set, const double *control, const ScenarioRunner *runner, Progress *progress,
                          Diagnostics *diagnostics, ScenarioOutcome *outcome);
void scenario_outcome_clear(ScenarioOutcome *outcome);

/* E1 + E2 of scenario k. */
double scenario_outcome_miss(const ScenarioOutcome *outcome, long k);
/* The least miss that is not exceeded by a part, in (0, 1], of the scenarios. */
double scenario_outcome_quantile(const ScenarioOutcome *outcome, double part);

/* scenario_tell.c: outcome.scenarios, a new reference; NULL: no memory. */
json_t *scenario_outcome_json(const ScenarioOutcome *outcome);
/* Prints the outcome in a few lines. */
void scenario_outcome_print(const ScenarioOutcome *outcome);
/* Writes scenarios.csv, a row for each scenario: its number, its value of each dimension, E1, E2, their sum, the part of all scenarios that miss by
 * no more, x(T), v(T). Returns 0 or EXIT_INTERNAL. */
int scenario_outcome_write(const ScenarioOutcome *outcome, const Results *results);
/* Warns of failed motions. */
void scenario_outcome_warn(const ScenarioOutcome *outcome, Diagnostics *diagnostics);

#endif
