/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/tools/measure.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

double measure_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double run_seconds(MeasureTask task) {
  double start = measure_seconds();
  task.run(task.context);
  return measure_seconds() - start;
}

void measure_in_turn(int n_tasks, const MeasureTask *tasks, int min_runs, double min_seconds, Measured *measured) {
  static double seconds[MEASURE_TASKS_MAX][MEASURE_RUNS_MAX];
  assert(n_tasks <= MEASURE_TASKS_MAX && min_runs >= 1 && min_runs <= MEASURE_RUNS_MAX);
  for (int k = 0; k < n_tasks; k++) tasks[k].run(tasks[k].context);
  double start = measure_seconds();
  int n = 0;
  while (n < min_runs || (n < MEASURE_RUNS_MAX && measure_seconds() - start < n_tasks * min_seconds)) {
    for (int k = 0; k < n_tasks; k++) seconds[k][n] = run_seconds(tasks[k]);
    n++;
  }
  for (int k = 0; k < n_tasks; k++) {
    sort_values(n, seconds[k]);
    measured[k] = (Measured){n, seconds[k][0], quantile(n, seconds[k], 0.5), seconds[k][n - 1]};
  }
}

Measured measure(MeasureTask task, int min_runs, double min_seconds) {
  Measured measured;
  measure_in_turn(1, &task, min_runs, min_seconds, &measured);
  return measured;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void sort_values(int n, double *values) { qsort(values, (size_t)n, sizeof *values, compare); }

double quantile(int n, const double *sorted, double q) {
  double place = q * (n - 1);
  int below = (int)place;
  if (below >= n - 1) return sorted[n - 1];
  return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}
