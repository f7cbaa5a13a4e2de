/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates problems that users hold by a pointer, and simulates a problem in one call. */
#include "sim/base/argument.h"
#include "sim/setup/tables.h"

#include <stdlib.h>

/* Sets the user's pointer to a problem if its initialisation succeeded; otherwise frees the problem. */
static SimStatus finish_problem(SimStatus status, SimProblem *created, SimProblem **problem) {
  if (status != SIM_OK) free(created);
  *problem = status == SIM_OK ? created : NULL;
  return status;
}

SimStatus stiction_problem_create(SimKind kind, int d, int n_control, SimProblem **problem) {
  ARGUMENT_THERE(problem);
  *problem = NULL;
  ARGUMENT(sim_kind(kind), "kind", "is not a value of the enum");
  ARGUMENT(d >= 1, "d", "is below 1");
  ARGUMENT(n_control >= 0, "n_control", "is below 0");
  SimProblem *created = malloc(sizeof *created);
  return finish_problem(created ? sim_problem_init(created, kind, d, n_control) : SIM_NO_MEMORY, created, problem);
}

SimStatus stiction_problem_create_sparse(SimGroup *group, int d, int first, int count, int n_control,
                                         SimProblem **problem) {
  ARGUMENT_THERE(problem);
  *problem = NULL;
  ARGUMENT(d >= 1, "d", "is below 1");
  ARGUMENT(first >= 0 && count >= 0 && first <= d - count, "first, count", "are no rows of d");
  ARGUMENT(n_control >= 0, "n_control", "is below 0");
  SimProblem *created = malloc(sizeof *created);
  SimStatus status = created ? sim_problem_init_sparse(created, group, d, first, count, n_control) : SIM_NO_MEMORY;
  return finish_problem(status, created, problem);
}

SimStatus stiction_problem_clone(const SimProblem *problem, SimProblem **copy) {
  ARGUMENT_THERE(copy);
  *copy = NULL;
  ARGUMENT_THERE(problem);
  SimProblem *created = malloc(sizeof *created);
  return finish_problem(created ? sim_problem_copy(problem, created) : SIM_NO_MEMORY, created, copy);
}

void stiction_problem_destroy(SimProblem *problem) {
  sim_problem_clear(problem);
  free(problem);
}

int stiction_problem_size(const SimProblem *problem) { return problem ? problem->d : 0; }
int stiction_problem_controls(const SimProblem *problem) { return problem ? problem->n_control : 0; }

/* Simulates a finalized problem. */
static SimStatus simulate(const SimProblem *problem, const SimReport *report, const double *control,
                          const SimObserver *observer, SimFinal *final) {
  SimModel *model = NULL;
  SimWorkspace *work = NULL;
  SimStatus status = stiction_model_create(problem, report, &model);
  if (status == SIM_OK) status = stiction_workspace_create(model, &work);
  if (status == SIM_OK) status = stiction_rollout(model, work, control, observer, final);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  return status;
}

SimStatus stiction_simulate(const SimProblem *problem, const double *control, const SimObserver *observer,
                            SimFinal *final) {
  ARGUMENT(problem && problem->scheme, "problem", "is NULL, or not initialised");
  ARGUMENT(final && final->x && final->v, "final", "is NULL, or has no arrays");
  bool kept;
  const SimReport report = argument_first_error(&kept);
  if (problem->finalized && problem->finalized == problem_fingerprint(problem))
    return simulate(problem, &report, control, observer, final);
  SimProblem own;
  SimStatus status = sim_problem_copy(problem, &own);
  if (status != SIM_OK) return status;
  status = stiction_problem_finalize(&own, &report);
  if (status == SIM_OK) status = simulate(&own, &report, control, observer, final);
  sim_problem_clear(&own);
  return status;
}
