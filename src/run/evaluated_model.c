#include "src/run/evaluated_model.h"

#include "sim/group.h"
#include "src/base/exit_code.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether v_T is 0 all along a string. */
static bool is_rest(const CtlProblem *control) {
  bool rest = control->velocity_spacing > 0;
  for (int i = 0; i < control->d; i++) rest = rest && control->velocity[i] == 0;
  return rest;
}

int evaluated_model_prepare(const Problem *problem, bool derivatives, EvaluatedModel *model) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *control = &problem->control;
  size_t rows = (size_t)sim->count;
  *model = (EvaluatedModel){.problem = sim, .rest = is_rest(control)};
  if (!derivatives) return 0;
  model->given = malloc(2 * rows + 1);
  if (sim_group_agree(sim->group, model->given ? 0 : EXIT_INTERNAL)) return EXIT_INTERNAL;
  for (size_t i = 0; i < rows; i++) {
    model->given[i] = !isnan(control->position[(size_t)sim->first + i]);
    model->given[rows + i] = !isnan(control->velocity[(size_t)sim->first + i]);
  }
  return 0;
}

void evaluated_model_clear(EvaluatedModel *model) {
  if (model->problem == &model->own) sim_problem_clear(&model->own);
  free(model->given);
  *model = (EvaluatedModel){0};
}

static size_t flags_of(const EvaluatedModel *model) { return model->given ? 2 * (size_t)model->problem->count : 0; }

/* The number of flags, the flags, the problem. */
size_t evaluated_model_packed_size(const EvaluatedModel *model) {
  size_t size = sim_problem_packed_size(model->problem);
  return size ? sizeof(uint64_t) + flags_of(model) + size : 0;
}

void evaluated_model_pack(const EvaluatedModel *model, void *bytes) {
  uint64_t flags = flags_of(model);
  char *to = bytes;
  memcpy(to, &flags, sizeof flags);
  if (flags) memcpy(to + sizeof flags, model->given, flags);
  sim_problem_pack(model->problem, to + sizeof flags + flags);
}

SimStatus evaluated_model_unpack(const void *bytes, size_t size, EvaluatedModel *model) {
  uint64_t flags = 0;
  const char *from = bytes;
  *model = (EvaluatedModel){0};
  if (size >= sizeof flags) memcpy(&flags, from, sizeof flags);
  if (size < sizeof flags || flags > size - sizeof flags) return SIM_BAD_PROBLEM;
  size_t head = sizeof flags + flags;
  SimStatus status = sim_problem_unpack(&model->own, from + head, size - head);
  if (status != SIM_OK) return status;
  model->problem = &model->own;
  model->given = flags ? malloc(flags) : NULL;
  bool fits = !flags || flags == 2 * (size_t)model->own.count;
  if (fits && model->given) memcpy(model->given, from + sizeof flags, flags);
  if (fits && (!flags || model->given)) return SIM_OK;
  evaluated_model_clear(model);
  return fits ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
}

SimStatus evaluated_model_simulation(const EvaluatedModel *model, const RolloutContext *rollout,
                                     CtlSimulation *simulation) {
  SimStatus status = ctl_simulation_init(simulation, model->problem, rollout->model, rollout->work, model->given);
  simulation->rest = model->rest;
  return status;
}
