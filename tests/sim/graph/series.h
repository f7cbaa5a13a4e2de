/* SPDX-License-Identifier: BSD-2-Clause */
/* Taylor series of one expression in t, for the tests of tapes. */
#ifndef TESTS_SIM_GRAPH_SERIES_H
#define TESTS_SIM_GRAPH_SERIES_H

#include "tests/sim/graph/expressions.h"

#include "sim/graph/kernel.h"
#include "sim/graph/series.h"

/* Makes the series of a tape in t, where the variable x is t0 + t and all others are constant. The signs of switching
 * functions are those that the values give. */
static inline void series_in_time(GraphSeries *series, const double *at, int orders) {
  for (int i = 0; i < series->tape->n_variables; i++) graph_series_set(series, i, 0, at[i]);
  graph_series_begin(series, true);
  do {
    graph_series_begin(series, false);
    graph_series_take(series, 0);
    for (int k = 1; k <= orders; k++) {
      graph_series_set(series, 0, k, k == 1);
      graph_series_advance(series, k);
      graph_series_take(series, k);
    }
  } while (graph_series_signs(series, orders));
}

static const GraphRole time_roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_CONSTANT, GRAPH_CONSTANT, GRAPH_CONSTANT};

static inline GraphTape *tape_of(const Fixture *fixture, const GraphRole *roles, int count, const int *outputs) {
  const char *why;
  GraphTape *tape = graph_tape_create(&fixture->graph, NAMES_MAX, roles, count, outputs, &why);
  if (!tape) fail_msg("no tape: %s", why ? why : "no memory");
  return tape;
}

#endif
