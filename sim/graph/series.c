/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/series.h"
#include "sim/graph/kernel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static const GraphKernel *const kernels[] = {
    &graph_kernel_128,
#ifdef __x86_64__
    &graph_kernel_avx2,
    &graph_kernel_avx512,
#endif
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

const GraphKernel *graph_kernel_number(int i) {
  if (i < 0 || i >= N_KERNELS) return NULL;
#ifdef __x86_64__
  if (kernels[i] == &graph_kernel_avx2 && !__builtin_cpu_supports("avx2")) return NULL;
  if (kernels[i] == &graph_kernel_avx512 && !__builtin_cpu_supports("avx512f")) return NULL;
#endif
  return kernels[i];
}

const GraphKernel *graph_kernel(void) {
  int i = 0;
  while (graph_kernel_number(i + 1)) i++;
  return kernels[i];
}

/* Allocates one zeroed block of memory for n arrays of doubles, each aligned, and sets the pointers to them. Returns
 * the block, or NULL if there is no memory. */
static void *place(int n, const size_t *sizes, double **const *arrays) {
  size_t all = ALIGNMENT / sizeof(double), used = 0, unit = ALIGNMENT / sizeof(double);
  for (int i = 0; i < n; i++) all += (sizes[i] + unit - 1) / unit * unit;
  void *block = calloc(all, sizeof(double));
  if (!block) return NULL;
  double *start = (double *)(((uintptr_t)block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  for (int i = 0; i < n; i++) {
    *arrays[i] = start + used;
    used += (sizes[i] + unit - 1) / unit * unit;
  }
  return block;
}

GraphSeries *graph_series_create(const GraphTape *tape) {
  GraphSeries *series = calloc(1, sizeof *series);
  if (!series) return NULL;
  size_t rows = (size_t)tape->rows, steps = (size_t)tape->n_steps, orders = GRAPH_ORDER_MAX + 1;
  size_t products = orders * (size_t)tape->room, kinks = (size_t)tape->n_kinks;
  size_t carried = (size_t)tape->carried_room;
  const size_t sizes[] = {(size_t)tape->room,
                          orders * rows,
                          products,
                          products,
                          products,
                          steps,
                          steps,
                          steps,
                          kinks,
                          carried,
                          carried,
                          carried * (size_t)tape->n_late,
                          rows * GRAPH_COLUMNS};
  double **const arrays[] = {&series->ahead,  &series->c,      &series->x,      &series->y,     &series->p,
                             &series->alpha,  &series->beta,   &series->gamma,  &series->signs, &series->start,
                             &series->change, &series->slopes, &series->changes};
  series->tape = tape;
  series->block = place(sizeof sizes / sizeof *sizes, sizes, arrays);
  if (!series->block) {
    graph_series_destroy(series);
    return NULL;
  }
  memcpy(series->c, tape->initial, rows * sizeof *series->c);
  for (int i = 0; i < tape->n_steps; i++) {
    const GraphStep *step = &tape->steps[i];
    if (step->op == TAPE_SUM) series->alpha[i] = step->f;
    if (step->op == TAPE_SUM) series->beta[i] = step->g;
    series->gamma[i] = step->op == TAPE_PRODUCT;
  }
  return series;
}

void graph_series_destroy(GraphSeries *series) {
  if (!series) return;
  free(series->block);
  free(series);
}

void graph_series_begin(GraphSeries *series, bool look) { series->tape->kernel->begin(series, look); }
void graph_series_advance(GraphSeries *series, int k) { series->tape->kernel->advance(series, k); }
void graph_series_take(GraphSeries *series, int k) { series->tape->kernel->take(series, k); }

void graph_series_slopes(GraphSeries *series, int count, double *slopes) {
  const GraphTape *tape = series->tape;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < tape->n_late; j++) {
      int at = tape->output_carried[i];
      slopes[i * tape->n_late + j] =
          at >= 0 ? series->slopes[j * tape->carried_room + at] : tape->output[i] == tape->late[j];
    }
}

bool graph_series_signs(GraphSeries *series, int k) {
  bool changed = false;
  for (int i = 0; i < series->tape->n_kinks; i++) {
    double first = 0;
    if (graph_series_kink(series, i, 0) != 0) continue;
    for (int j = 1; j <= k && first == 0; j++) first = graph_series_kink(series, i, j);
    double sign = first > 0 ? 1 : first < 0 ? -1 : 0;
    if (sign == series->signs[i]) continue;
    series->signs[i] = sign;
    changed = true;
  }
  return changed;
}

GraphColumns *graph_columns_create(const GraphSeries *series) {
  GraphColumns *columns = calloc(1, sizeof *columns);
  if (!columns) return NULL;
  const GraphTape *tape = series->tape;
  size_t rows = (size_t)tape->rows * GRAPH_COLUMNS, steps = (size_t)tape->n_steps * GRAPH_COLUMNS;
  size_t room = (size_t)tape->room, products = room * GRAPH_COLUMN_ORDERS;
  double *array[6] = {NULL};
  const size_t sizes[] = {
      rows * GRAPH_COLUMN_ORDERS, room * GRAPH_COLUMNS, steps, steps, steps, rows, products, products};
  double **const arrays[] = {&array[0], &array[1], &array[2],   &array[3],
                             &array[4], &array[5], &columns->x, &columns->y};
  columns->series = series;
  columns->block = place(sizeof sizes / sizeof *sizes, sizes, arrays);
  if (!columns->block) {
    graph_columns_destroy(columns);
    return NULL;
  }
  GraphColumn **const parts[] = {&columns->c,    &columns->p,     &columns->alpha,
                                 &columns->beta, &columns->gamma, &columns->change};
  for (int i = 0; i < 6; i++) *parts[i] = (GraphColumn *)array[i];
  return columns;
}

void graph_columns_destroy(GraphColumns *columns) {
  if (!columns) return;
  free(columns->block);
  free(columns);
}

void graph_columns_values(GraphColumns *columns) { columns->series->tape->kernel->columns_values(columns); }
void graph_columns_advance(GraphColumns *columns, int k) { columns->series->tape->kernel->columns_advance(columns, k); }
void graph_columns_take(GraphColumns *columns, int k) { columns->series->tape->kernel->columns_take(columns, k); }
