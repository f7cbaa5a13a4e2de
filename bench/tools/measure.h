/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures durations, as processor time of the calling thread, s. Other processes on the machine do not increase this
 * time directly, but they use caches and change clock rates. So the least of several runs describes the code best.
 * Ratios are meaningful only between runs in turn: measure_in_turn. */
#ifndef BENCH_TOOLS_MEASURE_H
#define BENCH_TOOLS_MEASURE_H

/* Code to time: run(context) must do the same work each time. */
typedef struct MeasureTask {
  void (*run)(void *context);
  void *context;
} MeasureTask;

/* Times of n runs, s. */
typedef struct Measured {
  int n;
  double best, median, worst;
} Measured;

enum { MEASURE_RUNS_MAX = 1000 };

/* Returns the processor time of this thread, s. */
double measure_seconds(void);

/* Runs the task once without measuring it. Then runs it at least min_runs times and for min_seconds, but at most
 * MEASURE_RUNS_MAX times. */
Measured measure(MeasureTask task, int min_runs, double min_seconds);

/* Measures n_tasks, at most MEASURE_TASKS_MAX, as `measure` does: measured [n_tasks]. They run in turn, each as often
 * as the others. */
enum { MEASURE_TASKS_MAX = 64 };
void measure_in_turn(int n_tasks, const MeasureTask *tasks, int min_runs, double min_seconds, Measured *measured);

/* Sorts values in increasing order. None may be NaN. */
void sort_values(int n, double *values);
/* Returns the q-quantile, 0 <= q <= 1, of n >= 1 sorted values, with linear interpolation. 0.5 gives the median, 0.99 a
 * percentile. */
double quantile(int n, const double *sorted, double q);

#endif
