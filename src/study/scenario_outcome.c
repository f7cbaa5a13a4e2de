/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/scenario_outcome.h"

#include "sim/group.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void find_misses(ScenarioOutcome *o) {
  const Problem *problem = o->set->problem;
  size_t d = (size_t)problem->sim.d;
  for (long k = 0; k < o->set->scenarios->count; k++) {
    const double *state = o->states + 2 * d * (size_t)k;
    double *misses = o->misses + 2 * k;
    bool failed = isnan(state[0]);
    o->failed += failed;
    if (failed)
      misses[0] = misses[1] = INFINITY;
    else if (o->targets)
      ctl_errors(&problem->control, state, state + d, misses);
    o->miss[k] = misses[0] + misses[1];
  }
}

/* Finds the slopes b of the plane y = a + b.z that is nearest to the final states y of all scenarios, where z are the
 * random variables of a scenario. They solve (Z'Z) b = Z'y, where the means of Z and y are subtracted. With fewer than
 * 2 n + 2 scenarios they would not be determined well, and are not computed. */
static void find_slopes(ScenarioOutcome *o) {
  const ScenarioSet *set = o->set;
  const long count = set->scenarios->count, good = count - o->failed;
  const int n = set->scenarios->n;
  size_t d2 = 2 * (size_t)set->problem->sim.d, columns = (size_t)n;
  double *block = calloc(columns * columns + columns + d2, sizeof *block);
  double *normal = block, *mean = block + columns * columns, *middle = mean + columns;
  o->slopes = good >= 2 * n + 2 && block ? calloc(d2 * columns, sizeof *o->slopes) : NULL;
  for (int pass = 0; pass < 2 && o->slopes; pass++) /* the first pass computes the means, the second one the products */
    for (long k = 0; k < count; k++) {
      const double *z = set->z + k * n, *y = o->states + d2 * (size_t)k;
      if (isnan(*y)) continue;
      for (int i = 0; i < n; i++) {
        if (!pass) mean[i] += z[i] / (double)good;
        for (int j = 0; j < n && pass; j++) normal[i * n + j] += (z[i] - mean[i]) * (z[j] - mean[j]);
      }
      for (size_t q = 0; q < d2; q++) {
        if (!pass) middle[q] += y[q] / (double)good;
        for (int i = 0; i < n && pass; i++) o->slopes[q * columns + (size_t)i] += (z[i] - mean[i]) * (y[q] - middle[q]);
      }
    }
  if (o->slopes && dense_factor(n, normal)) {
    free(o->slopes);
    o->slopes = NULL;
  }
  for (size_t q = 0; q < d2 && o->slopes; q++) dense_substitute(n, normal, o->slopes + q * columns);
  free(block);
}

/* Computes all results from the final states, on the first rank. */
static int take_stock(ScenarioOutcome *o, ScenarioSet *set, const double *control) {
  find_misses(o);
  find_slopes(o);
  int code = scenario_set_derivatives(set, control, o->state, o->rates);
  if (code == EXIT_UNSOLVED) {
    free(o->rates);
    o->rates = NULL;
  }
  return code == EXIT_INTERNAL || !scenario_misses_sort(set->scenarios->count, o->miss, o->order) ? EXIT_INTERNAL : 0;
}

int scenario_outcome_find(ScenarioSet *set, const double *control, const ScenarioRunner *runner, Progress *progress,
                          Diagnostics *diagnostics, ScenarioOutcome *o) {
  size_t d2 = 2 * (size_t)set->problem->sim.d, count = (size_t)set->scenarios->count;
  *o = (ScenarioOutcome){.set = set, .targets = set->problem->has_control};
  o->states = calloc(count * d2, sizeof *o->states);
  o->misses = calloc(count * 2, sizeof *o->misses);
  o->miss = calloc(count, sizeof *o->miss);
  o->order = calloc(count, sizeof *o->order);
  o->state = calloc(d2, sizeof *o->state);
  o->rates = calloc(d2 * (size_t)set->scenarios->n, sizeof *o->rates);
  bool room = o->states && o->misses && o->miss && o->order && o->state && o->rates;
  int code = sim_group_agree(set->group, room ? 0 : EXIT_INTERNAL);
  if (!code && runner)
    code = runner->run(runner->context, control, o->states);
  else if (!code)
    code = scenario_set_run(set, control, progress, o->states);
  if (!code && stiction_group_rank(set->group) == 0) code = take_stock(o, set, control);
  code = sim_group_agree(set->group, code);
  return code == EXIT_INTERNAL ? diagnostics_no_memory(diagnostics) : code;
}

void scenario_outcome_clear(ScenarioOutcome *o) {
  free(o->states);
  free(o->misses);
  free(o->miss);
  free(o->order);
  free(o->state);
  free(o->rates);
  free(o->slopes);
  *o = (ScenarioOutcome){0};
}

void scenario_outcome_warn(const ScenarioOutcome *o, Diagnostics *diagnostics) {
  if (o->failed)
    diagnostics_warn(diagnostics, "%ld of %ld scenarios have no motion to the end (scenarios.csv)", o->failed,
                     o->set->scenarios->count);
}
