/* SPDX-License-Identifier: BSD-2-Clause */
/* Source of the kernels. For each instruction set a file defines KERNEL (the kernel's name) and KERNEL_BYTES (the
 * width of its vectors) and then includes this file. */
#include "sim/graph/kernel.h"

#include <math.h>

/* A vector register of the processor. A GraphColumn is processed as PARTS such vectors, because compilers keep
 * vectors wider than a register in memory. */
typedef double Part __attribute__((vector_size(KERNEL_BYTES), may_alias));
enum { PARTS = (int)(sizeof(GraphColumn) / sizeof(Part)) };

static inline double sign_of(double x) { return (double)((x > 0) - (x < 0)); }

/* Returns the value of a comparison or of the function sign. sign: the sign of a - b, or of a for the function sign. */
static double level(const GraphStep *step, double sign, double a, double b) {
  switch (step->kind) {
  case GRAPH_SIGN: return sign;
  case GRAPH_LESS: return sign < 0;
  case GRAPH_AT_MOST: return sign <= 0;
  case GRAPH_EQUAL: return sign == 0;
  case GRAPH_UNEQUAL: return sign != 0;
  default: return graph_apply(&(GraphNode){.kind = step->kind}, a, b, 0);
  }
}

/* Whether a ?:, min or max takes the value of its first operand. */
static inline bool picks_first(const GraphStep *step, const double *c, double sign) {
  if (step->kind == GRAPH_CHOOSE) return c[step->u] != 0;
  return step->kind == GRAPH_MIN ? sign <= 0 : sign >= 0;
}

static double value_of(const GraphStep *step, const double *c, double sign) {
  double a = c[step->a], b = c[step->b];
  switch (step->op) {
  case TAPE_SUM: return step->f * a + step->g * b + step->offset;
  case TAPE_SCALE:
  case TAPE_PRODUCT: return a * b;
  case TAPE_SQUARE: return a * a;
  case TAPE_DIVIDE_BY:
  case TAPE_QUOTIENT: return a / b;
  case TAPE_ROOT: return sqrt(a);
  case TAPE_RATE_TIMES:
  case TAPE_RATE_OVER: return graph_apply(&(GraphNode){.kind = step->kind}, a, b, 0);
  case TAPE_SIGNED: return sign * a;
  case TAPE_PICK: return picks_first(step, c, sign) ? a : b;
  case TAPE_LEVEL: return level(step, sign, a, b);
  }
  return NAN;
}

/* Computes order 0 (the values) of the steps in the runs `from`, from + 1, .., and the slopes (tape.h) of products.
 * look: whether to set each kink's sign from the value of its switching function. */
static void values(GraphSeries *series, int from, bool look) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  double *c = series->c, *made = c + tape->first, *alpha = series->alpha, *beta = series->beta;
  for (const GraphRun *run = tape->runs + from; run < tape->runs + tape->n_runs; run++) switch (run->form) {
    case FORM_ADD:
      for (int i = run->first; i < run->end; i++) made[i] = c[links[i].a] + c[links[i].b];
      break;
    case FORM_SUBTRACT:
      for (int i = run->first; i < run->end; i++) made[i] = c[links[i].a] - c[links[i].b];
      break;
    case FORM_SUM:
      for (int i = run->first; i < run->end; i++)
        made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b] + tape->steps[i].offset;
      break;
    case FORM_PRODUCT:
      for (int i = run->first; i < run->end; i++) {
        double a = c[links[i].a], b = c[links[i].b];
        alpha[i] = b;
        beta[i] = a;
        made[i] = a * b;
      }
      break;
    case FORM_OTHER:
      for (int i = run->first; i < run->end; i++) {
        const GraphStep *step = &tape->steps[i];
        double sign = 0;
        if (step->kink >= 0) {
          double *state = &series->signs[step->kink], at = c[tape->kink_row[step->kink]];
          if (look && at != 0) *state = sign_of(at);
          sign = *state;
        }
        made[i] = value_of(step, c, sign);
      }
    }
}

/* Computes the slopes alpha, beta, gamma (tape.h) of step i of form FORM_OTHER from the values of all rows. */
static void find_slopes(GraphSeries *series, int i) {
  const GraphTape *tape = series->tape;
  const double *c = series->c;
  const GraphStep *step = &tape->steps[i];
  double a = c[step->a], b = c[step->b], u = c[step->u], z = c[tape->first + i], alpha = 0, beta = 0, gamma = 0;
  switch (step->op) {
  case TAPE_SUM:
  case TAPE_PRODUCT: return; /* `values` and graph_series_create set the slopes of products */
  case TAPE_SCALE: alpha = b; break;
  case TAPE_DIVIDE_BY: alpha = 1 / b; break;
  case TAPE_SQUARE:
    alpha = 2 * a;
    gamma = 1;
    break;
  case TAPE_QUOTIENT:
    alpha = 1 / b;
    beta = -z * alpha;
    gamma = -alpha;
    break;
  case TAPE_ROOT:
    alpha = 0.5 / z;
    gamma = -alpha;
    break;
  case TAPE_RATE_TIMES:
    alpha = step->f * u;
    gamma = step->f;
    break;
  case TAPE_RATE_OVER:
    alpha = 1 / u;
    gamma = -alpha;
    break;
  case TAPE_SIGNED: alpha = series->signs[step->kink]; break;
  case TAPE_PICK:
    alpha = picks_first(step, c, step->kink >= 0 ? series->signs[step->kink] : 0);
    beta = 1 - alpha;
    break;
  case TAPE_LEVEL: break;
  }
  series->alpha[i] = alpha;
  series->beta[i] = beta;
  series->gamma[i] = gamma;
}

/* Computes order 0, values and slopes, of the steps in the runs `from`, from + 1, .. . look: as in values(). */
static void order_0(GraphSeries *series, int from, bool look) {
  const GraphTape *tape = series->tape;
  values(series, from, look);
  for (const GraphRun *run = tape->runs + from; run < tape->runs + tape->n_runs; run++)
    for (int i = run->first; run->form == FORM_OTHER && i < run->end; i++) find_slopes(series, i);
}

static void begin(GraphSeries *series, bool look) {
  const GraphTape *tape = series->tape;
  double *c = series->c;
  for (int i = 0; i < tape->n_late; i++) c[tape->late[i]] = 0;
  for (int i = 0; i < tape->n_fixed; i++) {
    const GraphNode *node = &tape->fixed[i];
    c[tape->fixed_row[i]] = graph_apply(node, c[node->a], c[node->b], c[node->c]);
  }
  order_0(series, 0, look);
}

/* Computes sum [count], the sums over 0 < j < k of the products X_j Y_(k-j) (tape.h) of `count` vectors of entries,
 * from vector m on. all: number of vectors of entries in one order. */
static inline __attribute__((always_inline)) void add_products(const GraphSeries *series, int k, size_t all, size_t m,
                                                               int count, Part *sum) {
  enum { MOST = 4 };
  Part own[MOST] = {{0}};
  const Part *x = (const Part *)series->x + m, *y = (const Part *)series->y + (size_t)k * all + m;
  for (int j = 1; j < k; j++) {
    x += all;
    y -= all;
    for (int i = 0; i < count; i++) own[i] += x[i] * y[i];
  }
  for (int i = 0; i < count; i++) sum[i] = own[i];
}

/* Computes P of order k (tape.h), the sums of products of lower orders, for all entries. A vector has several
 * entries. The order of each sum does not depend on the vectors' width, so all kernels give the same bits. */
static void past(GraphSeries *series, int k) {
  enum { TOGETHER = 4 };
  const GraphTape *tape = series->tape;
  size_t all = (size_t)(tape->room / GRAPH_COLUMNS * PARTS), m = 0;
  double *entries = series->p + (size_t)k * (size_t)tape->room, part = 1.0 / k;
  Part *p = (Part *)entries;
  for (; m + TOGETHER <= all; m += TOGETHER) add_products(series, k, all, m, TOGETHER, p + m);
  for (; m < all; m++) add_products(series, k, all, m, 1, p + m);
  for (int i = 0; i < tape->n_weighed; i++) entries[tape->weighed[i]] *= part;
}

static void advance(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  const double *alpha = series->alpha, *beta = series->beta, *gamma = series->gamma;
  double *c = series->c + (size_t)k * (size_t)tape->rows, *made = c + tape->first;
  const double *p = series->p + (size_t)k * (size_t)tape->room;
  for (int i = 0; i < tape->n_late; i++) c[tape->late[i]] = 0;
  past(series, k);
  for (const GraphRun *run = tape->runs; run < tape->runs + tape->n_runs; run++) {
    int first = run->first, end = run->end;
    const double *own = p + links[first].m - first;
    switch (run->form) {
    case FORM_ADD:
      for (int i = first; i < end; i++) made[i] = c[links[i].a] + c[links[i].b];
      break;
    case FORM_SUBTRACT:
      for (int i = first; i < end; i++) made[i] = c[links[i].a] - c[links[i].b];
      break;
    case FORM_SUM:
      for (int i = first; i < end; i++) made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b];
      break;
    case FORM_PRODUCT:
      for (int i = first; i < end; i++) made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b] + own[i];
      break;
    case FORM_OTHER:
      for (int i = first; i < end; i++)
        made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b] + gamma[i] * p[links[i].m];
    }
  }
}

/* Adds the contribution of the late variables (tape.h) to order k of the rows that depend on them. The variables'
 * coefficients of order k have been set. */
static void add_late(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  const double *alpha = series->alpha, *beta = series->beta;
  double *c = series->c + (size_t)k * (size_t)tape->rows, *made = c + tape->first;
  double *change = series->change, *changed = series->change + tape->first;
  for (int i = 0; i < tape->n_late; i++) change[tape->late[i]] = c[tape->late[i]];
  for (const GraphRun *run = tape->runs + tape->late_run; run < tape->runs + tape->n_runs; run++) switch (run->form) {
    case FORM_ADD:
      for (int i = run->first; i < run->end; i++) made[i] += changed[i] = change[links[i].a] + change[links[i].b];
      break;
    case FORM_SUBTRACT:
      for (int i = run->first; i < run->end; i++) made[i] += changed[i] = change[links[i].a] - change[links[i].b];
      break;
    case FORM_PRODUCT:
      for (int i = run->first; i < run->end; i++) made[i] += changed[i] = alpha[i] * change[links[i].a];
      break;
    default:
      for (int i = run->first; i < run->end; i++)
        made[i] += changed[i] = alpha[i] * change[links[i].a] + beta[i] * change[links[i].b];
    }
}

static void take(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const double *c = series->c + (size_t)k * (size_t)tape->rows;
  double *x = series->x + (size_t)k * (size_t)tape->room, *y = series->y + (size_t)k * (size_t)tape->room;
  if (k == 0 && tape->n_late) order_0(series, tape->late_run, false);
  if (k > 0) add_late(series, k);
  for (int m = 0; m < tape->n_entries; m++) {
    x[m] = c[tape->x_row[m]];
    y[m] = c[tape->y_row[m]];
  }
  for (int i = 0; i < tape->n_weighed; i++) x[tape->weighed[i]] *= k;
}

/* Computes the derivatives of all rows that depend on late variables (tape.h) by the late variables number `from`,
 * .., from + GRAPH_COLUMNS - 1. */
static void late_slopes(GraphSeries *series, int from) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  const double *alpha = series->alpha, *beta = series->beta;
  GraphColumn *changes = (GraphColumn *)series->changes, *made = changes + tape->first;
  for (int i = 0; i < tape->n_late; i++)
    for (int j = 0; j < GRAPH_COLUMNS; j++) changes[tape->late[i]][j] = i == from + j;
  for (const GraphRun *run = tape->runs + tape->late_run; run < tape->runs + tape->n_runs; run++) switch (run->form) {
    case FORM_ADD:
      for (int i = run->first; i < run->end; i++) made[i] = changes[links[i].a] + changes[links[i].b];
      break;
    case FORM_SUBTRACT:
      for (int i = run->first; i < run->end; i++) made[i] = changes[links[i].a] - changes[links[i].b];
      break;
    case FORM_PRODUCT:
      for (int i = run->first; i < run->end; i++) made[i] = alpha[i] * changes[links[i].a];
      break;
    default:
      for (int i = run->first; i < run->end; i++)
        made[i] = alpha[i] * changes[links[i].a] + beta[i] * changes[links[i].b];
    }
}

#include "sim/graph/kernel_columns.h"

const GraphKernel KERNEL = {KERNEL_NAME, begin,          advance,         take,
                            late_slopes, columns_values, columns_advance, columns_take};
