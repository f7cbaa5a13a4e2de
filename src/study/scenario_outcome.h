/* What comes of a control, or of none, in all scenarios: who misses by how much, and what that depends on. */
#ifndef SRC_STUDY_SCENARIO_OUTCOME_H
#define SRC_STUDY_SCENARIO_OUTCOME_H

#include "src/results/results.h"
#include "src/study/scenario_set.h"

typedef struct ScenarioOutcome {
  const ScenarioSet *set; /* borrowed */
  bool targets;           /* there are some: misses and order are known */
  double *states;         /* [count][2 d] x(T), v(T); NAN: that motion has failed; owned, as the rest */
  double *misses;         /* [count][2] E1, E2; INFINITY of those that have failed */
  long *order;            /* [count] by E1 + E2, from least to largest, then by number */
  long failed;
  double *state;  /* [2 d] of the file's own numbers */
  double *rates;  /* [2 d][n] by derivatives, for z by 1; NULL: there are none */
  double *slopes; /* [2 d][n] of the plane nearest to the scenarios; NULL: they tell none */
} ScenarioOutcome;

/* Who simulates in place of scenario_set_run, with the same answers. */
typedef struct ScenarioRunner {
  void *context;
  int (*run)(void *context, const double *control, double *states);
} ScenarioRunner;

/* Simulates all scenarios under a control ([variables]; NULL: 0). Collective over the set's group; the first rank has what comes of
 * it. runner: NULL: the ranks of the group. To be cleared either way. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after telling. */
int scenario_outcome_find(ScenarioSet *set, const double *control, const ScenarioRunner *runner, Progress *progress,
                          Diagnostics *diagnostics, ScenarioOutcome *outcome);
void scenario_outcome_clear(ScenarioOutcome *outcome);

/* E1 + E2 of the k-th. */
double scenario_outcome_miss(const ScenarioOutcome *outcome, long k);
/* The least miss that so many of the scenarios, a part in (0, 1], do not exceed. */
double scenario_outcome_quantile(const ScenarioOutcome *outcome, double part);

/* outcome.scenarios: a new reference; NULL: no memory. */
json_t *scenario_outcome_json(const ScenarioOutcome *outcome);
/* In a few lines on the standard output. */
void scenario_outcome_print(const ScenarioOutcome *outcome);
/* scenarios.csv: a row a scenario: its number, what it has of each dimension, E1, E2, their sum, the part of all that miss by no more,
 * x(T), v(T). Returns 0 or EXIT_INTERNAL. */
int scenario_outcome_write(const ScenarioOutcome *outcome, const Results *results);
/* Warns of motions that have failed. */
void scenario_outcome_warn(const ScenarioOutcome *outcome, Diagnostics *diagnostics);

#endif
