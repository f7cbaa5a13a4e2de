/* SPDX-License-Identifier: BSD-2-Clause */
/* Series of the same tape side by side, in the lanes of vectors: each has its own state, time and slopes, and all are at
 * the same order. The operations of a lane are those of its series alone, so it has the same bits. Calls for
 * k = 1, 2, .. after order 0 of each series, graph_series_take(.., 0) included:
 *
 *     lanes->series[..] = ..;          a series, or NULL, for each lane
 *     graph_lanes_begin(lanes);
 *     for k = 1, 2, ..: set variables of order k of each series, graph_lanes_advance(lanes, k), set the late variables
 *                       of order k of each series, graph_lanes_take(lanes, k)
 *
 * A lane ends when its series is set to NULL. Then its variables, outputs and functions of kinks have all orders so far.
 * Its other rows and its products do not: no derivatives (GraphColumns) can follow. */
#ifndef SIM_GRAPH_LANES_H
#define SIM_GRAPH_LANES_H

#include "sim/graph/series.h"

enum { GRAPH_LANES = GRAPH_COLUMNS };
typedef GraphColumn GraphLane; /* one number of each lane */

typedef struct GraphLanes {
  const GraphTape *tape;
  GraphSeries *series[GRAPH_LANES];  /* of the tape, or of one compiled from the same graph; borrowed */
  const GraphSeries *first;          /* one of them, which has the factors of sums */
  GraphLane *c;                      /* [rows][GRAPH_ORDER_MAX + 1] coefficients */
  GraphLane *alpha, *beta, *gamma;   /* [n_steps] slopes of steps of FORM_OTHER */
  GraphLane *slopes;                 /* [n_late][n_carried] */
  GraphLane *ahead;                  /* [n_entries] as GraphSeries.ahead */
  bool *weighed;                     /* [n_entries] whether the terms of a product are weighted */
  int n_shown, n_shown_late, *shown; /* [n_shown] rows of outputs and of functions of kinks: first the
                                              * n_shown_late ones that depend on late variables */
  void *block;
} GraphLanes;

/* Returns NULL without memory. The tape is borrowed. */
GraphLanes *graph_lanes_create(const GraphTape *tape);
void graph_lanes_destroy(GraphLanes *lanes); /* NULL: nothing */

static inline GraphLane *graph_lanes_row(const GraphLanes *lanes, int row, int k) {
  return &lanes->c[(size_t)row * (GRAPH_ORDER_MAX + 1) + (size_t)k];
}

void graph_lanes_begin(GraphLanes *lanes);
/* As graph_series_advance and graph_series_take, for all lanes, k > 0. */
void graph_lanes_advance(GraphLanes *lanes, int k);
void graph_lanes_take(GraphLanes *lanes, int k);

#endif
