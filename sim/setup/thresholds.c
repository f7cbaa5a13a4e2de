/* SPDX-License-Identifier: BSD-2-Clause */
/* Implements the functions for many problems that differ in their thresholds alone (sim_thresholds_apart). */
#include "sim/core/model.h"

#include "sim/base/argument.h"
#include "sim/operator/operator.h"
#include "sim/setup/tables.h"

#include <math.h>
#include <string.h>

/* Features with data and checks that do not depend on the thresholds, as long as all thresholds are positive. */
#define APART                                                                                                          \
  (SIM_HAS(DENSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) | SIM_HAS(VISCOUS) |            \
   SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(REGULARIZED) | SIM_HAS(FIXED_POINT))

/* The data that depend on the thresholds, in the order in which they are stored: bounds, thresholds, constants of the
 * scheme. */
typedef struct Numbers {
  SimBounds *bounds;
  double *friction;
  void *parameters;
} Numbers;

static Numbers numbers_in(const SimProblem *p, void *store) {
  SimBounds *bounds = store;
  double *friction = (double *)(bounds + 1);
  return (Numbers){bounds, friction, friction + p->d};
}

static bool are_positive(const SimProblem *p) {
  int i = 0;
  while (i < p->d && p->friction[i] > 0 && isfinite(p->friction[i])) i++;
  return i == p->d;
}

static bool are_apart(const SimProblem *p, SimFeatures has) {
  return p->kind == SIM_FRICTION && p->scheme->prepares_again && !(has & ~APART) && are_positive(p);
}

bool sim_thresholds_apart(const SimProblem *p) { return are_apart(p, sim_problem_features(p)); }

size_t sim_thresholds_size(const SimProblem *p) {
  size_t constants = (p->scheme->parameters_size + sizeof(double) - 1) / sizeof(double);
  return sizeof(SimBounds) + ((size_t)p->d + constants) * sizeof(double);
}

bool sim_thresholds_settle(const SimProblem *given, const double *friction, void *store) {
  const Numbers numbers = numbers_in(given, store);
  SimProblem own = *given; /* borrows all arrays except the replaced numbers */
  Check check = {.problem = &own, .like = given};
  own.friction = numbers.friction;
  own.parameters = numbers.parameters;
  memcpy(numbers.friction, friction, (size_t)own.d * sizeof *friction);
  memcpy(numbers.parameters, given->parameters, own.scheme->parameters_size);
  bool good = are_positive(&own) && operator_bounds(&check, own.scheme->step_operator(&own), &own.bounds) == SIM_OK &&
              problem_set_constants(&own, NULL) == SIM_OK;
  *numbers.bounds = own.bounds;
  return good;
}

SimStatus sim_model_set_thresholds(SimModel *model, SimWorkspace *work, const void *store) {
  ARGUMENT(model && work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT_THERE(store);
  SimProblem *p = &model->problem;
  ARGUMENT(are_apart(p, model->features), "model", "has more that depends on its thresholds");
  const Numbers numbers = numbers_in(p, (void *)store);
  p->bounds = *numbers.bounds;
  memcpy(p->friction, numbers.friction, (size_t)p->d * sizeof *p->friction);
  memcpy(p->parameters, numbers.parameters, p->scheme->parameters_size);
  return model_prepare_again(model, work, true);
}
