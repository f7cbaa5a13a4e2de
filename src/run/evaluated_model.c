/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/evaluated_model.h"

#include "src/process/interruption.h"

#include "control/search/numbers.h"
#include "sim/group.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int evaluated_model_prepare(const Problem *problem, bool derivatives, EvaluatedModel *model) {
  const SimProblem *sim = &problem->sim;
  const CtlProblem *control = &problem->control;
  size_t rows = (size_t)sim->count;
  *model = (EvaluatedModel){.problem = sim, .rest = ctl_given_rest(control)};
  if (!derivatives) return 0;
  if (control->patterns) model->control = control;
  model->given = malloc(2 * rows + 1);
  if (sim_group_agree(sim->group, model->given ? 0 : EXIT_INTERNAL)) return EXIT_INTERNAL;
  ctl_given_entries(sim, control, model->given);
  return 0;
}

void evaluated_model_clear(EvaluatedModel *model) {
  if (model->problem == &model->own) {
    SimProblem *scenarios = (SimProblem *)model->scenarios; /* the cast is safe, since the model owns its scenarios */
    for (int k = 0; k < model->n_scenarios; k++)
      if (scenarios[k].scheme) sim_problem_clear(&scenarios[k]);
    free(scenarios);
    sim_problem_clear(&model->own);
  }
  if (model->control == &model->own_control) ctl_problem_clear(&model->own_control);
  free(model->given);
  *model = (EvaluatedModel){0};
}

/* Head of a packed model. It is followed by the numbers of the control problem, the flags, and the simulation
 * problems. */
typedef struct Head {
  uint64_t numbers, flags, scenarios;
} Head;
_Static_assert(sizeof(Head) == 24, "without padding: it is sent as bytes");

static Head head_of(const EvaluatedModel *model) {
  return (Head){.numbers = problem_numbers(model->control),
                .flags = model->given ? 2 * (uint64_t)model->problem->count : 0,
                .scenarios = (uint64_t)model->n_scenarios};
}

/* Returns the problem that is packed as number k: the model's own problem for k = 0, a scenario for k > 0. */
static const SimProblem *problem_at(const EvaluatedModel *model, int k) {
  return k ? &model->scenarios[k - 1] : model->problem;
}

/* The packed form consists of the head, the numbers, the flags, and for each problem its size and its bytes. */
size_t evaluated_model_packed_size(const EvaluatedModel *model) {
  size_t size = sizeof(Head) + head_of(model).numbers * sizeof(double) + head_of(model).flags;
  if (!sim_problem_packed_size(model->problem)) return 0;
  for (int k = 0; k <= model->n_scenarios; k++)
    size += sizeof(uint64_t) + sim_problem_packed_size(problem_at(model, k));
  return size;
}

void evaluated_model_pack(const EvaluatedModel *model, void *bytes) {
  const Head head = head_of(model);
  char *to = bytes;
  memcpy(to, &head, sizeof head);
  to += sizeof head;
  if (head.numbers) problem_to_bytes(model->control, to);
  to += head.numbers * sizeof(double);
  if (head.flags) memcpy(to, model->given, head.flags);
  to += head.flags;
  for (int k = 0; k <= model->n_scenarios; k++) {
    uint64_t size = sim_problem_packed_size(problem_at(model, k));
    memcpy(to, &size, sizeof size);
    sim_problem_pack(problem_at(model, k), to + sizeof size);
    to += sizeof size + size;
  }
}

/* Unpacks one problem from *from. Advances *from, and reduces *left, the number of bytes left. */
static SimStatus unpack_one(SimProblem *problem, const char **from, size_t *left) {
  uint64_t size;
  if (*left < sizeof size) return SIM_BAD_PROBLEM;
  memcpy(&size, *from, sizeof size);
  *from += sizeof size;
  *left -= sizeof size;
  if (size > *left) return SIM_BAD_PROBLEM;
  SimStatus status = sim_problem_unpack(problem, *from, size);
  *from += size;
  *left -= size;
  return status;
}

/* Unpacks the flags (model->given) and the scenarios. The model's own problem was unpacked before. */
static SimStatus unpack_rest(EvaluatedModel *model, const Head *head, const char *flags, const char *from,
                             size_t left) {
  SimStatus status = SIM_OK;
  SimProblem *scenarios = head->scenarios ? calloc(head->scenarios, sizeof *scenarios) : NULL;
  model->problem = &model->own;
  model->scenarios = scenarios;
  model->n_scenarios = scenarios ? (int)head->scenarios : 0;
  model->given = head->flags ? malloc(head->flags) : NULL;
  if ((head->scenarios && !scenarios) || (head->flags && !model->given)) return SIM_NO_MEMORY;
  if (head->flags && head->flags != 2 * (size_t)model->own.count) return SIM_BAD_PROBLEM;
  if (model->given) memcpy(model->given, flags, head->flags);
  for (int k = 0; k < model->n_scenarios && status == SIM_OK; k++) {
    status = unpack_one(&scenarios[k], &from, &left);
    if (status == SIM_OK && scenarios[k].d != model->own.d) status = SIM_BAD_PROBLEM;
  }
  return status;
}

SimStatus evaluated_model_unpack(const void *bytes, size_t size, EvaluatedModel *model) {
  Head head = {0};
  const char *from = bytes, *flags;
  *model = (EvaluatedModel){0};
  if (size >= sizeof head) memcpy(&head, from, sizeof head);
  if (size < sizeof head || head.numbers > (size - sizeof head) / sizeof(double) ||
      head.flags > size - sizeof head - head.numbers * sizeof(double) || head.scenarios > CTL_SCENARIOS_MAX)
    return SIM_BAD_PROBLEM;
  const char *numbers = from + sizeof head;
  flags = numbers + head.numbers * sizeof(double);
  from = flags + head.flags;
  size -= (size_t)(from - (const char *)bytes);
  SimStatus status = unpack_one(&model->own, &from, &size);
  if (status != SIM_OK) return status;
  if (head.numbers) {
    status = problem_from_bytes(head.numbers, numbers, &model->own_control);
    model->control = &model->own_control;
  }
  if (status == SIM_OK) status = unpack_rest(model, &head, flags, from, size);
  if (status != SIM_OK) evaluated_model_clear(model);
  return status;
}

SimStatus evaluated_model_simulation(const EvaluatedModel *model, const RolloutContext *rollout,
                                     CtlSimulation *simulation) {
  SimStatus status = ctl_simulation_init(simulation, model->problem, rollout->model, rollout->work, model->given);
  simulation->rest = model->rest;
  if (status == SIM_OK && model->control) status = ctl_simulation_set_patterns(simulation, model->control);
  interruption_watch_evaluation(rollout->work);
  return status;
}

void model_evaluator_close(ModelEvaluator *evaluator) {
  for (int k = 0; k < evaluator->n; k++) {
    ctl_simulation_clear(&evaluator->simulations[k]);
    rollout_context_release(&evaluator->rollouts[k]);
  }
  ctl_stack_clear(&evaluator->stack);
  free(evaluator->rollouts);
  free(evaluator->simulations);
  free(evaluator->each);
  ctl_simulation_clear(&evaluator->simulation);
  *evaluator = (ModelEvaluator){0};
}

static SimStatus open_scenario(const EvaluatedModel *model, int k, int kernel, ModelEvaluator *evaluator) {
  const EvaluatedModel one = {.problem = &model->scenarios[k], .given = model->given, .rest = model->rest};
  RolloutContext *rollout = &evaluator->rollouts[k];
  if (rollout_context_prepare(rollout, one.problem, NULL)) return SIM_BAD_PROBLEM;
  if (rollout_context_set_kernel(rollout, kernel)) return SIM_BAD_PROBLEM;
  SimStatus status = evaluated_model_simulation(&one, rollout, &evaluator->simulations[k]);
  if (status == SIM_OK) evaluator->each[k] = ctl_simulator(&evaluator->simulations[k]);
  return status;
}

SimStatus model_evaluator_open(const EvaluatedModel *model, const RolloutContext *rollout, int kernel,
                               ModelEvaluator *evaluator) {
  size_t n = (size_t)model->n_scenarios;
  *evaluator = (ModelEvaluator){0};
  SimStatus status = evaluated_model_simulation(model, rollout, &evaluator->simulation);
  if (status != SIM_OK || n == 0) return status;
  evaluator->rollouts = calloc(n, sizeof *evaluator->rollouts);
  evaluator->simulations = calloc(n, sizeof *evaluator->simulations);
  evaluator->each = calloc(n, sizeof *evaluator->each);
  if (!evaluator->rollouts || !evaluator->simulations || !evaluator->each) return SIM_NO_MEMORY;
  evaluator->n = model->n_scenarios;
  for (int k = 0; k < evaluator->n && status == SIM_OK; k++) status = open_scenario(model, k, kernel, evaluator);
  if (status != SIM_OK) return status;
  status = ctl_stack_init(&evaluator->stack, evaluator->n, evaluator->each, evaluator->simulations->positions);
  evaluator->stack.simulations = evaluator->simulations;
  evaluator->nominal = ctl_simulator(&evaluator->simulation);
  evaluator->stack.nominal = &evaluator->nominal;
  return status;
}

CtlEvaluator model_evaluator(ModelEvaluator *evaluator) {
  return evaluator->n ? ctl_stacked(&evaluator->stack) : ctl_simulator(&evaluator->simulation);
}
