/* The experiments of the papers and how far from their solutions a scheme is: what bench-models is made of. */
#ifndef BENCH_MODELS_H
#define BENCH_MODELS_H

#include "bench/exact.h"
#include "src/problem_file.h"

enum { CASE_SETTINGS_MAX = 5, CASE_LEVELS = 8 };

/* One row of the table: a problem file with settings. */
typedef struct Case {
  const char *file;                        /* jobs/problems/FILE.yaml */
  const char *variant;                     /* what the settings make of it, in words */
  const char *settings[CASE_SETTINGS_MAX]; /* KEY=VALUE; NULL: no more */
  ExactSolution *exact;                    /* NULL: none is known; a run with a much finer step stands for it */
  double order;                            /* expected of the errors; 0: 1 */
  bool shrink_friction;                    /* strang's friction substep is kept at step^2 */
  bool quick;                              /* part of `--quick` */
} Case;

extern const Case bench_cases[];
extern const int bench_case_count;

/* Reads a case, with as many steps as its file has times `finer`. Returns 0 or an exit code, the mistakes told. */
int case_read(const Case *c, long finer, Problem *problem);

/* sqrt(dt sum_n |x^n - x(t_n)|^2) over n = 1..N, the same of v, and dt sum_n |lambda^n - lambda(t_n)|_1. NaN for what the
 * model does not have: v of nodes without mass (it jumps), lambda of a dash-pot. */
typedef struct Errors {
  double x, v, lambda;
} Errors;

/* The steps an order is taken from: the file's, [0], divided by these. Four halvings and what lies between: an error that
 * is made where a joint comes to rest depends on where in a step that falls, which fewer steps do not average out. */
extern const long case_finer[CASE_LEVELS];
/* The step of a run that stands for the solution: the file's divided by this, which all of case_finer divide. */
enum { CASE_REFERENCE_FINER = 768 };

typedef struct Result {
  double step[CASE_LEVELS];
  Errors error[CASE_LEVELS];
} Result;

/* Returns 0 or an exit code, told to stderr. */
int case_errors(const Case *c, Result *result);

#endif
