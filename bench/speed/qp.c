/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-qp measures the time to solve the quadratic problem of an SQP step, over its numbers of variables and rows. */
#include "control/sqp/qp.h"
#include "bench/tools/random.h"
#include "bench/tools/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: bench-qp [--quick] [--csv | --markdown]\n"
    "Milliseconds and iterations of the quadratic problems of SQP steps: 2 joints on 8 segments and more, J of a\n"
    "signal, rows of x(T), v(T) of both joints as targets. In addition:\n"
    "targets  nothing\n"
    "bounds   bounds of the torques\n"
    "rates    bounds of the torques, and of their changes from segment to segment\n"
    "limits   bounds of the torques, and of both positions at the end of every segment: n rows, few of which are\n"
    "         active\n"
    "speeds   bounds of the torques, and of both velocities at the end of every segment: many of the rows are\n"
    "         active\n"
    "Medians over 20 random problems of each size; of 3 solutions of each problem the fastest counts.\n"
    "--quick  few sizes and problems\n";

enum { JOINTS = 2, TARGETS = 2 * JOINTS, PROBLEMS = 20, QUICK_PROBLEMS = 3, TURNS = 3 };

static const int segments[] = {8, 20, 40, 80, 160, 320};
static const int quick_segments[] = {8, 40};

/* Kinds of conditions that a problem has in addition to its targets. */
typedef struct Kind {
  const char *name;
  bool bounds, rates, limits, speeds;
} Kind;

static const Kind kinds[] = {{.name = "targets"},
                             {.name = "bounds", .bounds = true},
                             {.name = "rates", .bounds = true, .rates = true},
                             {.name = "limits", .bounds = true, .limits = true},
                             {.name = "speeds", .bounds = true, .speeds = true}};

static double random_between(uint64_t *seed, double low, double high) {
  return low + (high - low) * random_uniform(seed);
}

/* Sets a row of the constraints: the derivative, by the control u, of a position or velocity at the end of segment
 * `at`, for coupled unit masses on the time interval [0, 1]. */
static void set_row(CtlQp *qp, int at, int joint, bool velocity, double mass, double target, double weight) {
  int S = qp->n / JOINTS;
  double h = 1.0 / S, *row = qp->rows + (size_t)qp->m * (size_t)qp->n;
  memset(row, 0, (size_t)qp->n * sizeof *row);
  for (int k = 0; k < at; k++)
    for (int i = 0; i < JOINTS; i++)
      row[k * JOINTS + i] = (i == joint ? 1 : -0.3) / mass * h * (velocity ? 1 : (at - k - 0.5) * h);
  qp->b[qp->m] = -target;
  qp->weight[qp->m] = weight;
  qp->equality[qp->m++] = true;
}

/* Sets up a random problem with S segments. */
static void set_problem(CtlQp *qp, int S, const Kind *kind, uint64_t seed) {
  double mass = random_between(&seed, 0.5, 2);
  int n = qp->n;
  for (int i = 0; i < n; i++) {
    double *row = qp->H + (size_t)i * (size_t)(qp->band + 1);
    memset(row, 0, (size_t)(qp->band + 1) * sizeof *row);
    row[qp->band] = 2.0 / S;
    if (i % JOINTS) row[qp->band - 1] = 0.4 / S;
    qp->upper[i] = kind->bounds ? 7 : INFINITY;
    qp->lower[i] = -qp->upper[i];
    qp->rise[i] = kind->rates && i >= JOINTS ? 40.0 / S : INFINITY;
    qp->g[i] = 0;
    qp->z[i] = random_between(&seed, -4, 4);
  }
  qp->m = 0;
  for (int joint = 0; joint < JOINTS; joint++)
    for (int velocity = 0; velocity < 2; velocity++)
      set_row(qp, S, joint, velocity, mass, velocity ? 0 : random_between(&seed, 0.3, 1) / mass, 1e4);
  for (int at = 1; at <= S && (kind->limits || kind->speeds); at++)
    for (int joint = 0; joint < JOINTS; joint++) {
      set_row(qp, at, joint, kind->speeds, mass, (kind->speeds ? 1.1 : 0.75) / mass, 1e4);
      qp->equality[qp->m - 1] = false;
    }
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Adds the row of a size. Returns false if a problem was not solved. */
static bool measure_size(TextTable *table, int S, const Kind *kind, int problems) {
  double ms[PROBLEMS], iterations[PROBLEMS];
  int n = JOINTS * S, rows = TARGETS + (kind->limits || kind->speeds ? n : 0);
  CtlQp qp;
  bool good = ctl_qp_init(&qp, n, 0, rows, JOINTS, JOINTS);
  for (int k = 0; k < problems && good; k++) {
    ms[k] = INFINITY;
    for (int turn = 0; turn < TURNS && good; turn++) {
      set_problem(&qp, S, kind, (uint64_t)(k + 1));
      double begin = processor_seconds();
      good = ctl_qp_solve(&qp);
      ms[k] = fmin(ms[k], 1e3 * (processor_seconds() - begin));
    }
    iterations[k] = qp.iterations;
  }
  if (good) {
    qsort(ms, (size_t)problems, sizeof *ms, compare);
    qsort(iterations, (size_t)problems, sizeof *iterations, compare);
    text_table_word(table, "%s", kind->name);
    text_table_number(table, "%.0f", n);
    text_table_number(table, "%.0f", rows);
    text_table_number(table, "%.3f", ms[problems / 2]);
    text_table_number(table, "%.0f", iterations[problems / 2]);
    text_table_number(table, "%.2f", 1e3 * ms[problems / 2] / n);
  }
  ctl_qp_clear(&qp);
  return good;
}

int main(int argc, char **argv) {
  static const char *const heads[] = {"problem", "n", "m", "ms", "iterations", "us per variable"};
  TextTableForm form = TABLE_TEXT;
  bool quick = false;
  int code;
  if (!table_arguments(argc, argv, "bench-qp", usage, &form, &quick, &code)) return code;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  bool good = true;
  int sizes = quick ? sizeof quick_segments / sizeof *quick_segments : sizeof segments / sizeof *segments;
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds && good; kind++)
    for (int k = 0; k < sizes && good; k++)
      good =
          measure_size(table, (quick ? quick_segments : segments)[k], &kinds[kind], quick ? QUICK_PROBLEMS : PROBLEMS);
  if (good)
    table_print(table, form, stdout);
  else
    fprintf(stderr, "bench-qp: a problem was not solved\n");
  text_table_destroy(table);
  return good ? EXIT_DONE : EXIT_UNSOLVED;
}
