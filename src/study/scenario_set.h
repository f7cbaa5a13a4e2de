/* The scenarios of a problem: their numbers and their final states. */
#ifndef SRC_STUDY_SCENARIO_SET_H
#define SRC_STUDY_SCENARIO_SET_H

#include "src/base/progress.h"
#include "src/file/sections/scenarios.h"
#include "src/process/model_ranks.h"
#include "src/study/evaluation.h"

typedef struct ScenarioSet {
  const Problem *problem;     /* with the numbers of the file; borrowed, like the next two */
  const Scenarios *scenarios; /* of the problem */
  const SimGroup *group;      /* ranks that share the scenarios: rank r has r, r + size, .. */
  double *z;                  /* [count][n] position of each scenario in the dimensions; owned, like the problems */
  bool whole;                 /* each problem holds its force; else those with the force of the file hold none */
  SimProblem *problems;       /* [count] filled for this rank's scenarios */
  Identification ends;        /* x(T) and v(T) as measured values 0, for their derivatives */
  Evaluation evaluation;
} ScenarioSet;

/* Makes the problem of each scenario. problem: has scenarios and a document, and outlives the set. Collective over the group. Returns 0; EXIT_USAGE if
 * the checks of the file refuse some numbers, or EXIT_INTERNAL, after reporting. scenario_set_close follows in each case. */
int scenario_set_open(ScenarioSet *set, const Problem *problem, const SimGroup *group, bool whole,
                      Diagnostics *diagnostics);
void scenario_set_close(ScenarioSet *set);

/* Value of a dimension in scenario k: the number itself; for several numbers the factor that multiplies them, or
 * what is added to them. */
double scenario_set_value(const ScenarioSet *set, long k, int dimension);

/* Fills states [count][2 d] with x(T), v(T) under a control ([variables]; NULL: 0), NAN for failed motions, on all ranks, the same bits for any number
 * of them. Collective. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL, unreported. */
int scenario_set_run(const ScenarioSet *set, const double *control, Progress *progress, double *states);

/* Fills state [2 d] with x(T), v(T) for the numbers of the file, and rates [2 d][n] with their derivatives with respect to z. Returns 0,
 * EXIT_UNSOLVED if there are none, or EXIT_INTERNAL, unreported. */
int scenario_set_derivatives(ScenarioSet *set, const double *control, double *state, double *rates);

#endif
