/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenarios of a problem: their numbers and their final states. */
#ifndef SRC_STUDY_SCENARIO_SET_H
#define SRC_STUDY_SCENARIO_SET_H

#include "src/base/progress.h"
#include "src/file/sections/scenarios.h"
#include "src/process/model_ranks.h"
#include "src/study/evaluation.h"

typedef struct ScenarioSet {
  const Problem *problem;     /* the problem with the numbers of the file; borrowed, like the next two */
  const Scenarios *scenarios; /* scenarios of this problem */
  const SimGroup *group;      /* ranks that share the scenarios; rank r of size ranks has r, r + size, r + 2 size, .. */
  double *z;                  /* [count][n] values z of the random variables in each scenario; owned, like the
                               * problems */
  bool whole;                 /* whether each problem has its own force; otherwise those with the force of the file
                               * have none */
  SimProblem *problems;       /* [count] filled in for the scenarios of this rank that have no store of thresholds */
  void **rooms;               /* [count] memory of these problems' arrays */
  /* If only thresholds vary: problem of the file with the constants of the scheme as given; otherwise zero. Owned. */
  SimProblem given;
  /* [count] stores of thresholds (sim_thresholds_apart); NULL: the scenario has none, or is another rank's. NULL: no
   * scenario has one. Owned, like the block of the stores. */
  void **thresholds;
  char *stores;
  Identification ends; /* x(T) and v(T) as if measured values were 0, to compute their derivatives */
  Evaluation evaluation;
} ScenarioSet;

/* Makes the problem of each scenario. problem: has scenarios and a document, and must outlive the set. Collective over
 * the group. Returns 0; EXIT_USAGE if some numbers of a scenario are not valid, or EXIT_INTERNAL, after reporting an
 * error. Call scenario_set_close in each case. */
int scenario_set_open(ScenarioSet *set, const Problem *problem, const SimGroup *group, bool whole,
                      Diagnostics *diagnostics);
void scenario_set_close(ScenarioSet *set);

/* Returns the value of a dimension in scenario k. It is the number itself. For several numbers, it is the factor that
 * multiplies them, or the amount added to them. */
double scenario_set_value(const ScenarioSet *set, long k, int dimension);

/* Fills states [count][2 d] with x(T), v(T) under a control ([variables]; NULL: 0) on all ranks, with NAN for failed
 * motions. The bits are the same for any number of ranks. Collective. Returns 0, EXIT_STOPPED on a signal, or
 * EXIT_INTERNAL, not reported. */
int scenario_set_run(const ScenarioSet *set, const double *control, Progress *progress, double *states);

/* Fills state [2 d] with x(T), v(T) for the numbers of the file, and rates [2 d][n] with their derivatives by z.
 * Returns 0, EXIT_UNSOLVED if there are none, or EXIT_INTERNAL, not reported. */
int scenario_set_derivatives(ScenarioSet *set, const double *control, double *state, double *rates);

#endif
