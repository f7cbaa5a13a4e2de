/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures orders of convergence from the errors on finer and finer grids in time. */
#ifndef SRC_STUDY_ORDERS_H
#define SRC_STUDY_ORDERS_H

enum { ORDER_QUANTITIES_MAX = 36, ORDER_LEVELS_MAX = 12 };

/* Returns the slope of the least-squares line through the points (log x, log y); NAN if some x or y is not above
 * zero. */
double log_slope(int n, const double *x, const double *y);

/* Describes what to measure. Some errors arise when a body comes to rest or begins to move. They depend on the position
 * of this instant within a step, which varies irregularly from grid to grid. Therefore each level is the mean of the
 * errors on several neighbouring grids, with N, N + stride, N + 2 stride, .. steps. On T/t/stride such grids, an
 * instant t takes every position within a step once. */
typedef struct OrderStudy {
  /* Fills error[q], q < quantities, with the errors for this number of steps. Returns 0, or a code that ends the
   * measurement. */
  int (*errors)(void *context, long steps, double *error);
  void *context;
  int quantities;
  long steps; /* number of steps of the coarsest level; each further level has twice as many */
  int levels, grids;
  int stride; /* difference of the numbers of steps of neighbouring grids, >= 1 */
} OrderStudy;

typedef struct OrderResult {
  double coarsest[ORDER_QUANTITIES_MAX]; /* errors on the single grid with `steps` steps */
  double finest[ORDER_QUANTITIES_MAX];   /* mean errors of the finest level */
  double order[ORDER_QUANTITIES_MAX];    /* orders; NAN if some error is not above zero */
} OrderResult;

/* Measures the orders. Returns 0, or the code with which errors() has ended the measurement. */
int order_measure(const OrderStudy *study, OrderResult *result);

#endif
