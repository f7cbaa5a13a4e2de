/* SPDX-License-Identifier: BSD-2-Clause */
/* The scenarios of a problem: their random numbers, their problems, and functions that compute their final states. */
#ifndef SRC_STUDY_SCENARIO_SET_H
#define SRC_STUDY_SCENARIO_SET_H

#include "src/base/progress.h"
#include "src/file/sections/scenarios.h"
#include "src/process/model_ranks.h"
#include "src/study/evaluation.h"

typedef struct ScenarioSet {
  const Problem *problem;     /* the problem with the numbers of the file; borrowed, as are the next two members */
  const Scenarios *scenarios; /* scenarios of this problem */
  const SimGroup *group;      /* group of ranks that share the scenarios; rank r of n ranks has the scenarios r, r + n,
                               * r + 2 n, .. */
  double *z;                  /* [count][n] values z of the random variables in each scenario; owned, as are the
                               * problems */
  bool whole;                 /* whether each problem has a force of its own; otherwise problems with the same force as
                               * the file have none */
  SimProblem *problems;       /* [count] problems of the scenarios of this rank, except those that have a store of
                               * thresholds */
  void **rooms;               /* [count] memory of these problems' arrays */
  /* If only thresholds vary: the problem of the file, with the constants of the scheme as the file gives them;
   * otherwise zero. Owned. */
  SimProblem given;
  /* [count] stores of thresholds (sim_thresholds_apart). An entry is NULL if the scenario has no store, or belongs to
   * another rank. NULL: no scenario has a store. Owned, as is the block of memory `stores`. */
  void **thresholds;
  char *stores;
  Identification ends; /* fit that serves to compute the derivatives of x(T) and v(T): its residuals are x(T) and v(T),
                        * with measured values 0 */
  Evaluation evaluation;
} ScenarioSet;

/* Makes the problem of each scenario. problem: must have scenarios and a document, and must outlive the set. whole: as
 * in ScenarioSet. Collective over the group. Returns 0; or EXIT_USAGE, if the numbers of some scenario are invalid, or
 * EXIT_INTERNAL, after reporting an error. The caller calls scenario_set_close in each case. */
int scenario_set_open(ScenarioSet *set, const Problem *problem, const SimGroup *group, bool whole,
                      Diagnostics *diagnostics);
void scenario_set_close(ScenarioSet *set);

/* Returns the value of a dimension in scenario k. If the dimension is a single number, this is the number. If it is
 * several numbers, it is the factor by which they are multiplied, or the amount that is added to them. */
double scenario_set_value(const ScenarioSet *set, long k, int dimension);

/* Fills states [count][2 d] with x(T), v(T) for a control ([variables]; NULL: 0), on all ranks. Entries of failed
 * motions are NAN. The bits are the same for any number of ranks. Collective. Returns 0, EXIT_STOPPED after a signal,
 * or EXIT_INTERNAL, which is not reported. */
int scenario_set_run(const ScenarioSet *set, const double *control, Progress *progress, double *states);

/* Fills state [2 d] with x(T), v(T) for the numbers in the file, and rates [2 d][n] with the derivatives of state by z.
 * Returns 0; EXIT_UNSOLVED if there are no derivatives; or EXIT_INTERNAL, which is not reported. */
int scenario_set_derivatives(ScenarioSet *set, const double *control, double *state, double *rates);

#endif
