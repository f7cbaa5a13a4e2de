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

/* Computes order 0 (the values) of all steps, and the slopes (tape.h) of products.
 * look: whether to set each kink's sign from the value of its switching function. */
static void values(GraphSeries *series, bool look) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  double *c = series->c, *made = c + tape->first, *alpha = series->alpha, *beta = series->beta;
  for (const GraphRun *run = tape->runs; run < tape->runs + tape->n_runs; run++) switch (run->form) {
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

/* Computes the derivatives of all rows that depend on late variables (tape.h) by the late variables number `from`,
 * .., from + GRAPH_COLUMNS - 1. */
static void late_rows(GraphSeries *series, int from) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  const double *alpha = series->alpha, *beta = series->beta;
  GraphColumn *changes = (GraphColumn *)series->changes, *made = changes + tape->first;
  for (int i = 0; i < tape->n_late; i++)
    for (int j = 0; j < GRAPH_COLUMNS; j++) changes[tape->late[i]][j] = i == from + j;
  for (const GraphRun *run = tape->runs + tape->late_run; run < tape->runs + tape->n_runs; run++) switch (run->form) {
    case FORM_PRODUCT:
      for (int i = run->first; i < run->end; i++) made[i] = alpha[i] * changes[links[i].a];
      break;
    default:
      for (int i = run->first; i < run->end; i++)
        made[i] = alpha[i] * changes[links[i].a] + beta[i] * changes[links[i].b];
    }
}

/* Computes the derivatives of the carried rows (tape.h) by all late variables. */
static void late_slopes(GraphSeries *series) {
  const GraphTape *tape = series->tape;
  for (int from = 0; from < tape->n_late; from += GRAPH_COLUMNS) {
    late_rows(series, from);
    for (int j = 0; j < GRAPH_COLUMNS && from + j < tape->n_late; j++)
      for (int i = 0; i < tape->n_carried; i++)
        series->slopes[(from + j) * tape->carried_room + i] = series->changes[tape->carried[i] * GRAPH_COLUMNS + j];
  }
}

static void begin(GraphSeries *series, bool look) {
  const GraphTape *tape = series->tape;
  double *c = series->c;
  for (int i = 0; i < tape->n_late; i++) c[tape->late[i]] = 0;
  for (int i = 0; i < tape->n_fixed; i++) {
    const GraphNode *node = &tape->fixed[i];
    c[tape->fixed_row[i]] = graph_apply(node, c[node->a], c[node->b], c[node->c]);
  }
  values(series, look);
  for (const GraphRun *run = tape->runs; run < tape->runs + tape->n_runs; run++)
    for (int i = run->first; run->form == FORM_OTHER && i < run->end; i++) find_slopes(series, i);
  late_slopes(series);
  for (int i = 0; i < tape->n_carried; i++) series->start[i] = c[tape->carried[i]];
}

/* Computes the terms j = 2, .., k - 1 of P of order k + 1, besides all of order k, for `count` vectors of products, of
 * which the first is m: so each factor is read once for two orders. all: number of vectors of an order. */
static inline __attribute__((always_inline)) void add_products(const GraphSeries *series, int k, size_t all, size_t m,
                                                               int count, Part *sum, Part *ahead) {
  enum { MOST = 4 };
  Part own[MOST] = {{0}}, next[MOST] = {{0}}, factor[MOST];
  const Part *x = (const Part *)series->x + m + all, *y = (const Part *)series->y + (size_t)k * all + m;
  for (int i = 0; i < count; i++) factor[i] = x[i];
  for (int j = 1; j < k; j++) {
    x += all;
    y -= all;
    for (int i = 0; i < count; i++) {
      own[i] += factor[i] * y[i];
      if (j + 1 == k) continue;
      factor[i] = x[i];
      next[i] += factor[i] * y[i];
    }
  }
  for (int i = 0; i < count; i++) {
    sum[i] = own[i];
    ahead[i] = next[i];
  }
}

/* Adds to P of an odd order k > 1, of which the order before has computed the other terms, the first and the last. */
static void add_ends(const GraphSeries *series, int k, size_t all, Part *sum) {
  const Part *x = (const Part *)series->x + all, *y = (const Part *)series->y + all,
             *ahead = (const Part *)series->ahead;
  size_t last = (size_t)(k - 2) * all;
  for (size_t m = 0; m < all; m++) sum[m] = ahead[m] + x[m] * y[last + m] + x[last + m] * y[m];
}

/* Computes P of order k (tape.h): the products of lower orders, for all entries. Each vector holds several entries. The
 * order of a sum does not depend on the width of vectors, so all kernels give the same bits. */
static void past(GraphSeries *series, int k) {
  enum { TOGETHER = 4 };
  const GraphTape *tape = series->tape;
  size_t all = (size_t)(tape->room / GRAPH_COLUMNS * PARTS), m = 0;
  double *entries = series->p + (size_t)k * (size_t)tape->room, part = 1.0 / k;
  Part *p = (Part *)entries, *ahead = (Part *)series->ahead;
  if (k == 1) return; /* there are no products; these P are 0 */
  if (k % 2) {
    add_ends(series, k, all, p);
  } else {
    for (; m + TOGETHER <= all; m += TOGETHER) add_products(series, k, all, m, TOGETHER, p + m, ahead + m);
    for (; m < all; m++) add_products(series, k, all, m, 1, p + m, ahead + m);
  }
  for (int i = 0; i < tape->n_weighed; i++) entries[tape->weighed[i]] *= part;
}

static void advance(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  const double *alpha = series->alpha, *beta = series->beta, *gamma = series->gamma;
  double *c = series->c + (size_t)k * (size_t)tape->rows, *made = c + tape->first;
  size_t entries = (size_t)k * (size_t)tape->room;
  const double *p = series->p + entries;
  for (int i = 0; i < tape->n_late; i++) c[tape->late[i]] = 0;
  past(series, k);
  for (const GraphRun *run = tape->runs; run < tape->runs + tape->n_runs; run++) {
    int first = run->first, end = run->end;
    int apart = links[first].m - first;
    const double *own = p + apart;
    double *x = series->x + entries + apart, *y = series->y + entries + apart;
    switch (run->form) {
    case FORM_SUM:
      for (int i = first; i < end; i++) made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b];
      break;
    case FORM_PRODUCT:
      for (int i = first; i < end; i++) {
        double a = c[links[i].a], b = c[links[i].b];
        x[i] = a; /* take replaces it if it depends on late variables */
        y[i] = b;
        made[i] = alpha[i] * a + beta[i] * b + own[i];
      }
      break;
    case FORM_OTHER:
      for (int i = first; i < end; i++)
        made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b] + gamma[i] * p[links[i].m];
    }
  }
}

/* Adds to order k of the carried rows what the late variables, which are set, contribute. */
static void add_late(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  double *c = series->c + (size_t)k * (size_t)tape->rows;
  int all = tape->carried_room / GRAPH_COLUMNS * PARTS;
  for (int m = 0; m < all; m++) {
    Part sum = {0};
    for (int j = 0; j < tape->n_late; j++) sum += c[tape->late[j]] * ((const Part *)series->slopes)[j * all + m];
    ((Part *)series->change)[m] = sum;
  }
  for (int i = 0; i < tape->n_carried; i++) {
    double *row = &c[tape->carried[i]];
    *row = (k > 0 ? *row : series->start[i]) + series->change[i];
  }
}

/* Computes the slopes that depend on the late variables of order 0, which add_late has added. */
static void take_slopes(GraphSeries *series) {
  const GraphTape *tape = series->tape;
  for (const GraphRun *run = tape->runs + tape->late_run; run < tape->runs + tape->n_runs; run++)
    for (int i = run->first; i < run->end; i++) {
      if (run->form == FORM_PRODUCT) series->beta[i] = series->c[tape->links[i].a];
      if (run->form == FORM_OTHER) find_slopes(series, i);
    }
}

/* Sets the factors X and Y of order k of those products that `advance` has not set, or that depend on late
 * variables. */
static void take_factors(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const double *c = series->c + (size_t)k * (size_t)tape->rows;
  double *x = series->x + (size_t)k * (size_t)tape->room, *y = series->y + (size_t)k * (size_t)tape->room;
  for (int i = 0; i < tape->n_taken; i++) {
    int m = tape->taken[i];
    x[m] = c[tape->x_row[m]];
    y[m] = c[tape->y_row[m]];
  }
  for (int i = 0; i < tape->n_weighed; i++) x[tape->weighed[i]] *= k;
}

static void take(GraphSeries *series, int k) {
  if (series->tape->n_late) add_late(series, k);
  if (k == 0)
    take_slopes(series);
  else
    take_factors(series, k);
}

#include "sim/graph/kernel_columns.h"
#include "sim/graph/kernel_lanes.h"

const GraphKernel KERNEL = {KERNEL_NAME,     begin,        advance,       take,      columns_values,
                            columns_advance, columns_take, lanes_advance, lanes_take};
