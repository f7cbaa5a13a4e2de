/* Durations, as processor time of the calling thread, s. Other processes on the machine do not increase it directly, but they use caches and change
 * clock rates. So the least of several runs describes the code best, and ratios are meaningful only between runs in turn: measure_in_turn. */
#ifndef BENCH_TOOLS_MEASURE_H
#define BENCH_TOOLS_MEASURE_H

/* One thing to time: run(context), which does the same work each time. */
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

/* That clock. */
double measure_seconds(void);

/* Runs once unmeasured, then at least min_runs times and for min_seconds, but MEASURE_RUNS_MAX times at most. */
Measured measure(MeasureTask task, int min_runs, double min_seconds);

/* The same for n_tasks, run in turn, each as often as the others: measured [n_tasks]. At most MEASURE_TASKS_MAX. */
enum { MEASURE_TASKS_MAX = 64 };
void measure_in_turn(int n_tasks, const MeasureTask *tasks, int min_runs, double min_seconds, Measured *measured);

/* Sorts values, ascending; NaNs are not allowed. */
void sort_values(int n, double *values);
/* The q-quantile, 0 <= q <= 1, of n >= 1 sorted values, linear between them: 0.5 is the median, 0.99 a percentile. */
double quantile(int n, const double *sorted, double q);

#endif
