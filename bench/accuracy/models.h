/* The experiments of the papers and how far from their solutions a scheme is: what bench-models is made of. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include "bench/accuracy/chain_exact.h"
#include "bench/accuracy/dashpot_exact.h"
#include "bench/accuracy/exact.h"
#include "src/converge/orders.h"
#include "src/problem/file.h"

enum { CASE_SETTINGS_MAX = 5 };

/* amplitude sin(omega t) on each node of a chain and, in the last place, at its end. */
typedef struct ChainLoad {
  double amplitude[EXACT_NODES + 1], omega[EXACT_NODES + 1];
} ChainLoad;

/* One row of the table: a problem file with settings. */
typedef struct Case {
  const char *file;                        /* jobs/problems/FILE.yaml */
  const char *variant;                     /* what the settings make of it, in words */
  const char *settings[CASE_SETTINGS_MAX]; /* KEY=VALUE; NULL: no more */
  /* The solution: one of these, or else the motion by the scheme `event`. */
  ExactSolution *exact;
  const ChainLoad *load;           /* bench/accuracy/chain_exact.h */
  double (*push)(int i, double t); /* a dash-pot's force: bench/accuracy/dashpot_exact.h */
  int grids;                       /* of a level: see OrderStudy; 0: 1 */
  double order;                    /* expected of the errors; 0: 1 */
  bool shrink_friction;            /* strang's friction substep is kept at step^2 */
  bool quick;                      /* part of `--quick` */
} Case;

extern const Case bench_cases[];
extern const int bench_case_count;

/* Reads a case with so many steps; 0: as its file has them. Returns 0 or an exit code, the mistakes told. */
int case_read(const Case *c, long steps, Problem *problem);

/* sqrt(dt sum_n |x^n - x(t_n)|^2) over n = 1..N, the same of v, and dt sum_n |lambda^n - lambda(t_n)|_1, with f_d for
 * the lambda of a dash-pot; and lambda like x. NAN for v of a chain without mass, which jumps. */
enum { ERROR_X, ERROR_V, ERROR_LAMBDA, ERROR_LAMBDA_L2, ERRORS };

/* Levels of an order: the file's step and four halvings. */
enum { CASE_LEVELS = 5 };

/* Reads a case with `finer` times as many steps as its file has. */
int case_read_finer(const Case *c, long finer, Problem *problem);

/* Errors at the file's step divided by each of finer [n]: step [n], error [n][ERRORS]. */
int case_levels(const Case *c, int n, const long *finer, double *step, double (*error)[ERRORS]);

/* What the solution is, in a word. */
const char *case_solution(const Case *c);

/* Errors at the file's step and orders. Returns 0 or an exit code, told to stderr. */
int case_orders(const Case *c, OrderResult *result);

#endif
