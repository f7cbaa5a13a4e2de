/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/robust_answer.h"

#include "src/base/json_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Smallest weight in the largest f, of which the sum is 1 at a minimum, with which a scenario is listed. */
static const double LISTED = 1e-6;

static CtlQuantityValue *value_of(const RobustAnswer *a, long s, int k) {
  return &a->each[s * a->motion->quantities + k];
}

/* Returns by how much a value violates its constraint; negative: by how much it is kept. */
static double excess(const CtlQuantity *q, double value) {
  double over = value - q->target;
  return q->role == CTL_ROLE_EQUAL ? fabs(over) : q->role == CTL_ROLE_AT_LEAST ? -over : over;
}

/* Returns the scenario in which a quantity is reported: one where it is not a number, or else the worst; -1: the mean of
 * all. */
static long reported_scenario(const RobustAnswer *a, int k) {
  const CtlQuantity *q = &a->motion->quantity[k];
  bool minimised = q->role < CTL_ROLE_EQUAL;
  long found = 0;
  if (minimised && a->motion->statistic == CTL_MEAN) return -1;
  for (long s = 1; s < a->plan->count; s++) {
    double one = minimised ? a->f[s] : excess(q, value_of(a, s, k)->value),
           most = minimised ? a->f[found] : excess(q, value_of(a, found, k)->value);
    if (isnan(one) || one > most) found = s;
  }
  return found;
}

/* Whether a quantity has the same value in all scenarios. */
static bool is_alike(const RobustAnswer *a, int k) {
  for (long s = 1; s < a->plan->count; s++)
    if (value_of(a, s, k)->value != value_of(a, 0, k)->value) return false;
  return true;
}

static void report(RobustAnswer *a, int k, CtlQuantityValue *value) {
  double mean = 0;
  bool alike = is_alike(a, k);
  long s = alike ? 0 : reported_scenario(a, k);
  a->scenario[k] = alike ? -1 : s;
  *value = *value_of(a, s < 0 ? 0 : s, k);
  for (long i = 0; i < a->plan->count && s < 0; i++) mean += value_of(a, i, k)->value / (double)a->plan->count;
  if (s < 0) value->value = mean;
}

SimStatus robust_answer_find(const RobustPlan *plan, const MotionPlan *motion, const double *point, RobustAnswer *a,
                             CtlQuantityValue *values) {
  size_t count = (size_t)plan->count, quantities = (size_t)motion->quantities;
  *a = (RobustAnswer){.plan = plan, .motion = motion};
  a->each = calloc(count * quantities, sizeof *a->each);
  a->f = calloc(2 * count, sizeof *a->f);
  a->scenario = calloc(quantities, sizeof *a->scenario);
  if (!a->each || !a->f || !a->scenario) return SIM_NO_MEMORY;
  a->weights = a->f + count;
  for (size_t s = 0; s < count; s++) a->weights[s] = NAN;
  SimStatus status = ctl_robust_read(plan->robust, point, a->each, a->f);
  for (int k = 0; k < motion->quantities && status == SIM_OK; k++) report(a, k, &values[k]);
  return status;
}

void robust_answer_clear(RobustAnswer *a) {
  free(a->each);
  free(a->f);
  free(a->scenario);
  *a = (RobustAnswer){0};
}

SimStatus robust_answer_judge(RobustAnswer *a, const CtlProblem *sought, const double *point,
                              CtlPlanOptimality *optimality, CtlQuantityValue *values) {
  SimStatus status = ctl_robust_optimality(a->plan->robust, sought, point, optimality, a->each, a->weights);
  for (int k = 0; k < a->motion->quantities && status == SIM_OK; k++) {
    double sum = 0;
    bool active = false;
    for (long s = 0; s < a->plan->count; s++) {
      const CtlQuantityValue *one = value_of(a, s, k);
      if (isfinite(one->multiplier)) sum += one->multiplier;
      active = active || one->active;
    }
    if (a->motion->quantity[k].role >= CTL_ROLE_EQUAL) values[k].multiplier = sum;
    values[k].active = active;
  }
  return status;
}

static bool acts(const CtlQuantityValue *value) { return isfinite(value->multiplier) && value->multiplier != 0; }

json_t *robust_answer_scenario(const RobustAnswer *a, int k) {
  return a->scenario[k] < 0 ? json_null() : json_integer(a->scenario[k] + 1);
}

json_t *robust_answer_active(const RobustAnswer *a, int k) {
  json_t *list = json_array();
  for (long s = 0; s < a->plan->count && a->scenario[k] >= 0; s++) {
    const CtlQuantityValue *one = value_of(a, s, k);
    if (acts(one))
      json_array_append_new(list, json_pack("{s:I, s:o, s:o}", "scenario", (json_int_t)(s + 1), "value",
                                            json_finite(one->value), "multiplier", json_finite(one->multiplier)));
  }
  return list;
}

json_t *robust_answer_worst(const RobustAnswer *a) {
  json_t *list = json_array();
  for (long s = 0; s < a->plan->count; s++)
    if (a->weights[s] > LISTED)
      json_array_append_new(list, json_pack("{s:I, s:o, s:o}", "scenario", (json_int_t)(s + 1), "f",
                                            json_finite(a->f[s]), "weight", json_finite(a->weights[s])));
  return list;
}

void robust_answer_print_active(const RobustAnswer *a, int k) {
  const char *before = "  multiplier";
  bool any = false;
  for (long s = 0; s < a->plan->count && a->scenario[k] >= 0; s++) {
    const CtlQuantityValue *one = value_of(a, s, k);
    if (!acts(one)) continue;
    printf("%s %.6g in scenario %ld", before, one->multiplier, s + 1);
    before = ",";
    any = true;
  }
  if (!any && a->scenario[k] >= 0) printf("  in scenario %ld", a->scenario[k] + 1);
}

void robust_answer_print_worst(const RobustAnswer *a) {
  const char *before = "the largest f is that of scenario";
  for (long s = 0; s < a->plan->count; s++) {
    if (!(a->weights[s] > LISTED)) continue;
    printf("%s %ld (weight %.4g)", before, s + 1, a->weights[s]);
    before = ",";
  }
  if (*before == ',') printf("\n");
}
