/* SPDX-License-Identifier: BSD-2-Clause */
/* The experiments of the papers and the errors of a scheme, for bench-models. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include "bench/accuracy/chain_exact.h"
#include "bench/accuracy/dashpot_exact.h"
#include "bench/accuracy/exact.h"
#include "src/file/sections/file.h"
#include "src/study/orders.h"

enum { CASE_SETTINGS_MAX = 5 };

/* The force amplitude sin(omega t) on each node of a chain; the last entry acts on the end. */
typedef struct ChainLoad {
  double amplitude[EXACT_NODES + 1], omega[EXACT_NODES + 1];
} ChainLoad;

/* One row of the table: a problem file with settings. */
typedef struct Case {
  const char *file;                        /* jobs/problems/FILE.yaml */
  const char *variant;                     /* description of the settings */
  const char *settings[CASE_SETTINGS_MAX]; /* KEY=VALUE; NULL ends the list */
  /* Exact solution: one of the next three, or if all are NULL the motion by the scheme `event`. */
  ExactSolution *exact;
  const ChainLoad *load;           /* load of a chain (bench/accuracy/chain_exact.h) */
  double (*push)(int i, double t); /* force on a mass with dash-pot (bench/accuracy/dashpot_exact.h) */
  int grids;                       /* number of neighbouring grids per level (OrderStudy); 0: 1 */
  double order;                    /* expected order; 0: 1 */
  bool shrink_friction;            /* whether the friction substep of strang is step^2 */
  bool quick;                      /* included in `--quick` */
} Case;

extern const Case bench_cases[];
extern const int bench_case_count;

/* Reads a case with `steps` time steps; 0: as many as in the file. Returns 0, or an exit code after reporting
 * errors. */
int case_read(const Case *c, long steps, Problem *problem);

/* Errors: sqrt(dt sum_n |x^n - x(t_n)|^2) over n = 1..N; the same for v; dt sum_n |lambda^n - lambda(t_n)|_1; and for
 * lambda the norm used for x. For a dash-pot lambda is f_d. The error of v is NAN for a chain without mass, where v
 * jumps. */
enum { ERROR_X, ERROR_V, ERROR_LAMBDA, ERROR_LAMBDA_L2, ERRORS };

/* Number of levels of an order study: the step of the file and four halvings. */
enum { CASE_LEVELS = 5 };

/* Reads a case with `finer` times as many steps as its file. */
int case_read_finer(const Case *c, long finer, Problem *problem);

/* Computes the errors at the file's step divided by each of finer [n]: step [n], error [n][ERRORS]. */
int case_levels(const Case *c, int n, const long *finer, double *step, double (*error)[ERRORS]);

/* Returns the name of the kind of exact solution. */
const char *case_solution(const Case *c);

/* Computes the errors at the file's step, and the orders. Returns 0, or an exit code after reporting errors on
 * stderr. */
int case_orders(const Case *c, OrderResult *result);

#endif
