/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/scenario_misses.h"

#include "src/base/json_values.h"

#include <stdlib.h>
#include <string.h>

/* Merges two adjacent parts of `order`, [from, middle) and [middle, until). Each is sorted by the misses of its
 * scenarios. */
static void merge(const double *miss, long *order, long from, long middle, long until, long *scratch) {
  long a = from, b = middle;
  for (long k = from; k < until; k++) {
    bool first = b == until || (a < middle && miss[order[a]] <= miss[order[b]]);
    scratch[k] = order[first ? a++ : b++];
  }
  memcpy(order + from, scratch + from, (size_t)(until - from) * sizeof *scratch);
}

bool scenario_misses_sort(long count, const double *miss, long *order) {
  long *scratch = calloc((size_t)count, sizeof *scratch);
  bool room = scratch != NULL;
  for (long k = 0; k < count; k++) order[k] = k;
  for (long width = 1; width < count && room; width *= 2)
    for (long from = 0; from + width < count; from += 2 * width)
      merge(miss, order, from, from + width, from + 2 * width < count ? from + 2 * width : count, scratch);
  free(scratch);
  return room;
}

double scenario_misses_quantile(long count, const double *miss, const long *order, double part) {
  return miss[order[ctl_quantile_rank(part, (int)count)]];
}

void scenario_misses_shares(long count, const double *miss, const long *order, double *shares) {
  long last = count - 1;
  for (long k = count - 1; k >= 0; k--) {
    if (miss[order[k]] < miss[order[last]]) last = k;
    shares[order[k]] = (double)(last + 1) / (double)count;
  }
}

json_t *scenario_misses_json(const ScenarioSet *set, double nominal, const double *miss, const long *order,
                             const double *errors) {
  static const double parts[] = {0.5, 0.9, 0.95, 0.99};
  enum { PARTS = sizeof parts / sizeof *parts };
  const Scenarios *s = set->scenarios;
  json_t *quantiles = json_object(), *numbers = json_object();
  long worst = order[s->count - 1];
  double sum = 0;
  for (long k = 0; k < s->count; k++) sum += miss[order[k]];
  for (int q = 0; q < PARTS; q++) {
    char name[16];
    snprintf(name, sizeof name, "%g", parts[q]);
    json_object_set_new(quantiles, name, json_finite(scenario_misses_quantile(s->count, miss, order, parts[q])));
  }
  for (int i = 0; i < s->n; i++)
    json_object_set_new(numbers, s->dimensions[i].path, json_real(scenario_set_value(set, worst, i)));
  return json_pack("{s:o, s:o, s:o, s:{s:I, s:o, s:o*, s:o*, s:o}}", "nominal", json_finite(nominal), "mean",
                   json_finite(sum / (double)s->count), "quantiles", quantiles, "worst", "scenario",
                   (json_int_t)(worst + 1), "miss", json_finite(miss[worst]), "E1",
                   errors ? json_finite(errors[2 * worst]) : NULL, "E2",
                   errors ? json_finite(errors[2 * worst + 1]) : NULL, "numbers", numbers);
}
