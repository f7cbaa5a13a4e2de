/* Orders of convergence, from errors over grids that are ever finer. */
#ifndef SRC_STUDY_ORDERS_H
#define SRC_STUDY_ORDERS_H

enum { ORDER_QUANTITIES_MAX = 36, ORDER_LEVELS_MAX = 12 };

/* Slope of the least-squares line through (log x, log y); NAN where a value is not above zero. */
double log_slope(int n, const double *x, const double *y);

/* What to study. An error that is made where something comes to rest or starts depends on where in a step that falls,
 * which is anything from one grid to the next: there several neighbouring grids stand for each level, of N, N + stride,
 * .. steps, and their errors' mean is taken: T/t/stride of them for an instant t, which then falls everywhere in a step. */
typedef struct OrderStudy {
  /* Fills error[q], q < quantities, for so many steps; returns 0, or a code that ends the study. */
  int (*errors)(void *context, long steps, double *error);
  void *context;
  int quantities;
  long steps; /* of the coarsest level; each further has twice as many */
  int levels, grids;
  int stride; /* 1 and more */
} OrderStudy;

typedef struct OrderResult {
  double coarsest[ORDER_QUANTITIES_MAX]; /* errors of the one grid with `steps` */
  double finest[ORDER_QUANTITIES_MAX];   /* mean errors of the last level */
  double order[ORDER_QUANTITIES_MAX];    /* NAN where an error is not above zero */
} OrderResult;

/* Returns 0 or the code that ended the study. */
int order_measure(const OrderStudy *study, OrderResult *result);

#endif
