/* The scenarios of a problem: which numbers each has, and where its motion ends. */
#ifndef SRC_STUDY_SCENARIO_SET_H
#define SRC_STUDY_SCENARIO_SET_H

#include "src/base/progress.h"
#include "src/file/sections/scenarios.h"
#include "src/process/model_ranks.h"
#include "src/study/evaluation.h"

typedef struct ScenarioSet {
  const Problem *problem;     /* the file's, with its own numbers; borrowed, as the next */
  const Scenarios *scenarios; /* its */
  const SimGroup *group;      /* who shares the scenarios: the rank r has r, r + size, .. */
  double *z;                  /* [count][n] where each is in its dimensions; owned, as the rest */
  bool whole;                 /* each problem has its force; else those with the file's have none */
  SimProblem *problems;       /* [count], of this rank's */
  Identification ends;        /* x(T) and v(T) as numbers measured, 0, of which derivatives are asked */
  Evaluation evaluation;
} ScenarioSet;

/* Makes the problem of each scenario. problem: has scenarios, and outlives the set. Collective over the group. Returns
 * 0, or EXIT_USAGE (numbers that the file's checks do not allow) or EXIT_INTERNAL after telling; to be closed either way. */
int scenario_set_open(ScenarioSet *set, const Problem *problem, const SimGroup *group, bool whole,
                      Diagnostics *diagnostics);
void scenario_set_close(ScenarioSet *set);

/* What the k-th has of a dimension: the number itself, of several the factor on them or what is added to them. */
double scenario_set_value(const ScenarioSet *set, long k, int dimension);

/* Where the motions under a control ([variables]; NULL: 0) end: states [count][2 d], those that have no end NAN, on all ranks the
 * same bits for any number of them. Collective. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL, untold. */
int scenario_set_run(const ScenarioSet *set, const double *control, Progress *progress, double *states);

/* Where that of the file's own numbers ends, [2 d], and how that changes with each dimension, [2 d][n] for z by 1: its derivatives.
 * Returns 0, EXIT_UNSOLVED if there are none, or EXIT_INTERNAL, untold. */
int scenario_set_derivatives(ScenarioSet *set, const double *control, double *state, double *rates);

#endif
