/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/lanes.h"
#include "sim/graph/kernel.h"

#include <stdint.h>
#include <stdlib.h>

/* Lists the rows that are copied back to the series: those of steps that are outputs or functions of kinks. */
static bool list_shown(GraphLanes *lanes) {
  const GraphTape *tape = lanes->tape;
  bool *shown = calloc((size_t)tape->rows, sizeof *shown);
  if (!shown) return false;
  for (int i = 0; i < tape->n_outputs; i++) shown[tape->output[i]] = true;
  for (int i = 0; i < tape->n_kinks; i++) shown[tape->kink_row[i]] = true;
  for (int row = tape->rows - 1; row >= tape->first; row--) {
    if (shown[row]) lanes->shown[lanes->n_shown++] = row;
    if (shown[row] && row >= tape->first + tape->late_step) lanes->n_shown_late++;
  }
  free(shown);
  return true;
}

GraphLanes *graph_lanes_create(const GraphTape *tape) {
  GraphLanes *lanes = calloc(1, sizeof *lanes);
  if (!lanes) return NULL;
  size_t steps = (size_t)tape->n_steps, slopes = (size_t)tape->n_carried * (size_t)tape->n_late;
  size_t all = (size_t)tape->rows * (GRAPH_ORDER_MAX + 1);
  lanes->tape = tape;
  lanes->block = calloc(all + 3 * steps + slopes + (size_t)tape->n_entries + 1, sizeof(GraphLane));
  lanes->weighed = calloc((size_t)tape->n_entries, sizeof *lanes->weighed);
  lanes->shown = calloc((size_t)tape->rows, sizeof *lanes->shown);
  if (!lanes->block || !lanes->weighed || !lanes->shown || !list_shown(lanes)) {
    graph_lanes_destroy(lanes);
    return NULL;
  }
  lanes->c = (GraphLane *)(((uintptr_t)lanes->block + sizeof(GraphLane) - 1) / sizeof(GraphLane) * sizeof(GraphLane));
  lanes->alpha = lanes->c + all;
  lanes->beta = lanes->alpha + steps;
  lanes->gamma = lanes->beta + steps;
  lanes->slopes = lanes->gamma + steps;
  lanes->ahead = lanes->slopes + slopes;
  for (int i = 0; i < tape->n_weighed; i++) lanes->weighed[tape->weighed[i]] = true;
  return lanes;
}

void graph_lanes_destroy(GraphLanes *lanes) {
  if (!lanes) return;
  free(lanes->block);
  free(lanes->weighed);
  free(lanes->shown);
  free(lanes);
}

/* Sets `of` to the series of all lanes; unused lanes have that of another lane. */
static void list_series(const GraphLanes *lanes, const GraphSeries **of) {
  for (int lane = 0; lane < GRAPH_LANES; lane++) of[lane] = lanes->series[lane] ? lanes->series[lane] : lanes->first;
}

static inline void gather(double *const *from, size_t at, GraphLane *to) {
  for (int lane = 0; lane < GRAPH_LANES; lane++) (*to)[lane] = from[lane][at];
}

void graph_lanes_begin(GraphLanes *lanes) {
  const GraphTape *tape = lanes->tape;
  const GraphSeries *of[GRAPH_LANES];
  double *c[GRAPH_LANES], *alpha[GRAPH_LANES], *beta[GRAPH_LANES], *gamma[GRAPH_LANES], *slopes[GRAPH_LANES];
  for (int lane = 0; lane < GRAPH_LANES; lane++)
    if (lanes->series[lane]) lanes->first = lanes->series[lane];
  list_series(lanes, of);
  for (int lane = 0; lane < GRAPH_LANES; lane++) {
    c[lane] = of[lane]->c;
    alpha[lane] = of[lane]->alpha;
    beta[lane] = of[lane]->beta;
    gamma[lane] = of[lane]->gamma;
    slopes[lane] = of[lane]->slopes;
  }
  for (int row = 0; row < tape->rows; row++) gather(c, (size_t)row, graph_lanes_row(lanes, row, 0));
  for (const GraphRun *run = tape->runs; run < tape->runs + tape->n_runs; run++)
    for (int i = run->first; run->form == FORM_OTHER && i < run->end; i++) {
      gather(alpha, (size_t)i, &lanes->alpha[i]);
      gather(beta, (size_t)i, &lanes->beta[i]);
      gather(gamma, (size_t)i, &lanes->gamma[i]);
    }
  for (int j = 0; j < tape->n_late; j++)
    for (int i = 0; i < tape->n_carried; i++)
      gather(slopes, (size_t)(j * tape->carried_room + i), &lanes->slopes[j * tape->n_carried + i]);
}

/* Copies order k of rows from the series to the lanes. */
static void copy_in(GraphLanes *lanes, int k, int n, const int *rows) {
  const GraphSeries *of[GRAPH_LANES];
  double *c[GRAPH_LANES];
  list_series(lanes, of);
  for (int lane = 0; lane < GRAPH_LANES; lane++) c[lane] = of[lane]->c + (size_t)k * (size_t)lanes->tape->rows;
  for (int i = 0; i < n; i++) gather(c, (size_t)rows[i], graph_lanes_row(lanes, rows[i], k));
}

/* Copies order k of rows from the lanes to the series. */
static void copy_out(const GraphLanes *lanes, int k, int n, const int *rows) {
  size_t to = (size_t)k * (size_t)lanes->tape->rows;
  for (int lane = 0; lane < GRAPH_LANES; lane++) {
    GraphSeries *series = lanes->series[lane];
    for (int i = 0; series && i < n; i++) series->c[to + (size_t)rows[i]] = (*graph_lanes_row(lanes, rows[i], k))[lane];
  }
}

void graph_lanes_advance(GraphLanes *lanes, int k) {
  const GraphTape *tape = lanes->tape;
  copy_in(lanes, k, tape->n_variables, tape->variable);
  for (int i = 0; i < tape->n_late; i++) *graph_lanes_row(lanes, tape->late[i], k) = (GraphLane){0};
  copy_out(lanes, k, tape->n_late, tape->late);
  tape->kernel->lanes_advance(lanes, k);
  copy_out(lanes, k, lanes->n_shown, lanes->shown);
}

void graph_lanes_take(GraphLanes *lanes, int k) {
  const GraphTape *tape = lanes->tape;
  copy_in(lanes, k, tape->n_late, tape->late);
  tape->kernel->lanes_take(lanes, k);
  copy_out(lanes, k, lanes->n_shown_late, lanes->shown);
}
