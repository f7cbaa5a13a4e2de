/* SPDX-License-Identifier: BSD-2-Clause */
/* Source of the kernels. A file for each instruction set defines KERNEL, the name of its kernel, and includes this. */
#include "sim/graph/kernel.h"

#include <math.h>

static inline double sign_of(double x) { return (double)((x > 0) - (x < 0)); }

/* Returns the value of a comparison, or of the function sign, from the sign of a - b. */
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

/* Whether a choice (?:, min, max) takes its first operand. */
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

static void values(GraphSeries *series, int from, bool look) {
  const GraphTape *tape = series->tape;
  double *c = series->c;
  for (int i = from; i < tape->n_steps; i++) {
    const GraphStep *step = &tape->steps[i];
    double sign = 0;
    if (step->kink >= 0) {
      double *state = &series->signs[step->kink], at = c[tape->kink_row[step->kink]];
      if (look && at != 0) *state = sign_of(at);
      sign = *state;
    }
    c[tape->first + i] = value_of(step, c, sign);
  }
}

/* Computes the slopes alpha, beta, gamma (tape.h) of the steps with the indices `from`, from + 1, .., given the values
 * of all rows. */
static void slopes(GraphSeries *series, int from) {
  const GraphTape *tape = series->tape;
  const double *c = series->c;
  for (int i = from; i < tape->n_steps; i++) {
    const GraphStep *step = &tape->steps[i];
    double a = c[step->a], b = c[step->b], u = c[step->u], z = c[tape->first + i], alpha = 0, beta = 0, gamma = 0;
    switch (step->op) {
    case TAPE_SUM:
      alpha = step->f;
      beta = step->g;
      break;
    case TAPE_SCALE: alpha = b; break;
    case TAPE_DIVIDE_BY: alpha = 1 / b; break;
    case TAPE_PRODUCT:
      alpha = b;
      beta = a;
      gamma = 1;
      break;
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
}

static void begin(GraphSeries *series, bool look) {
  const GraphTape *tape = series->tape;
  double *c = series->c;
  for (int i = 0; i < tape->n_late; i++) c[tape->late[i]] = 0;
  for (int i = 0; i < tape->n_fixed; i++) {
    const GraphNode *node = &tape->fixed[i];
    c[tape->fixed_row[i]] = graph_apply(node, c[node->a], c[node->b], c[node->c]);
  }
  values(series, 0, look);
  slopes(series, 0);
}

/* Computes P of order k (tape.h): the products of lower orders, for all entries. Each vector holds several entries. The
 * order of a sum does not depend on the width of vectors, so all kernels give the same bits. */
static void past(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  int blocks = tape->room / GRAPH_COLUMNS;
  const GraphColumn *weight = (const GraphColumn *)series->weight;
  GraphColumn *restrict p = (GraphColumn *)series->p + (size_t)k * (size_t)blocks;
  double by = 1.0 / k - 1;
  for (int m = 0; m < blocks; m++) p[m] = (GraphColumn){0};
  for (int j = 1; j < k; j++) {
    const GraphColumn *restrict x = (GraphColumn *)series->x + (size_t)j * (size_t)blocks;
    const GraphColumn *restrict y = (GraphColumn *)series->y + (size_t)(k - j) * (size_t)blocks;
    for (int m = 0; m < blocks; m++) p[m] += x[m] * y[m];
  }
  for (int m = 0; m < blocks; m++) p[m] *= 1 + by * weight[m];
}

static void advance(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  const double *restrict alpha = series->alpha, *restrict beta = series->beta, *restrict gamma = series->gamma;
  double *c = series->c + (size_t)k * (size_t)tape->rows, *made = c + tape->first;
  const double *p = series->p + (size_t)k * (size_t)tape->room;
  for (int i = 0; i < tape->n_late; i++) c[tape->late[i]] = 0;
  past(series, k);
  for (int i = 0; i < tape->n_steps; i++)
    made[i] = alpha[i] * c[links[i].a] + beta[i] * c[links[i].b] + gamma[i] * p[links[i].m];
}

static void take(GraphSeries *series, int k) {
  const GraphTape *tape = series->tape;
  const GraphLink *links = tape->links;
  double *c = series->c + (size_t)k * (size_t)tape->rows, *change = series->change;
  double *restrict x = series->x + (size_t)k * (size_t)tape->room, *restrict y =
                                                                       series->y + (size_t)k * (size_t)tape->room;
  if (k == 0 && tape->n_late) {
    values(series, tape->late_step, false);
    slopes(series, tape->late_step);
  }
  for (int i = 0; k && i < tape->n_late; i++) change[tape->late[i]] = c[tape->late[i]];
  for (int i = tape->late_step; k && i < tape->n_steps; i++) {
    double sum = series->alpha[i] * change[links[i].a] + series->beta[i] * change[links[i].b];
    change[tape->first + i] = sum;
    c[tape->first + i] += sum;
  }
  for (int m = 0; m < tape->n_entries; m++) {
    x[m] = (1 + (k - 1) * tape->weight[m]) * c[tape->x_row[m]];
    y[m] = c[tape->y_row[m]];
  }
}

/* Computes the derivatives of the slopes of step i from those of all values. */
static void columns_slopes(GraphColumns *columns, int i) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  const GraphStep *step = &tape->steps[i];
  GraphColumn alpha = {0}, beta = {0}, gamma = {0}, of_z = *graph_columns_row(columns, tape->first + i, 0);
  double z = series->c[tape->first + i], h = series->alpha[i];
  switch (step->op) {
  case TAPE_PRODUCT:
    alpha = *graph_columns_row(columns, step->b, 0);
    beta = *graph_columns_row(columns, step->a, 0);
    break;
  case TAPE_SQUARE: alpha = 2 * *graph_columns_row(columns, step->a, 0); break;
  case TAPE_QUOTIENT:
    alpha = -h * h * *graph_columns_row(columns, step->b, 0);
    beta = -h * of_z - z * alpha;
    gamma = -alpha;
    break;
  case TAPE_ROOT:
    alpha = -h / z * of_z;
    gamma = -alpha;
    break;
  case TAPE_RATE_TIMES: alpha = step->f * *graph_columns_row(columns, step->u, 0); break;
  case TAPE_RATE_OVER:
    alpha = -h * h * *graph_columns_row(columns, step->u, 0);
    gamma = -alpha;
    break;
  default: break;
  }
  columns->alpha[i] = alpha;
  columns->beta[i] = beta;
  columns->gamma[i] = gamma;
}

/* Computes the derivatives of order 0 of the rows of the steps `from`, from + 1, ..: the value of a step changes by alpha
 * d_a + beta d_b, where d_a and d_b are the derivatives of its operands. */
static void columns_rows(GraphColumns *columns, int from) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  for (int i = from; i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    *graph_columns_row(columns, tape->first + i, 0) = series->alpha[i] * *graph_columns_row(columns, link->a, 0) +
                                                      series->beta[i] * *graph_columns_row(columns, link->b, 0);
  }
}

/* Computes the derivatives of order 0 of the rows and of the slopes. */
static void columns_begin(GraphColumns *columns, int from) {
  columns_rows(columns, from);
  for (int i = from; i < columns->series->tape->n_steps; i++) columns_slopes(columns, i);
}

/* Returns the derivative of P, the sum over 0 < j < k of X_j dY_(k-j) + dX_j Y_(k-j). y and of_y point to order k.
 * Terms with odd and even j are summed separately, so that additions need not wait for each other. */
static inline __attribute__((always_inline)) void sum_products(const double *x, const GraphColumn *of_x,
                                                               const double *y, const GraphColumn *of_y, int k,
                                                               bool weighed, GraphColumn *sum) {
  GraphColumn odd = {0}, other_odd = {0}, even = {0}, other_even = {0};
  for (int j = 1; j < k; j += 2) {
    odd += x[j] * of_y[-j];
    other_odd += (weighed ? j * y[-j] : y[-j]) * of_x[j];
    if (j + 1 == k) break;
    even += x[j + 1] * of_y[-j - 1];
    other_even += (weighed ? (j + 1) * y[-j - 1] : y[-j - 1]) * of_x[j + 1];
  }
  *sum = odd + other_odd + (even + other_even);
}

static void columns_past(GraphColumns *columns, int k) {
  const GraphTape *tape = columns->series->tape;
  for (int m = 0; m < tape->n_entries; m++) {
    const GraphColumn *of_x = graph_columns_row(columns, tape->x_row[m], 0);
    const GraphColumn *of_y = graph_columns_row(columns, tape->y_row[m], k);
    const double *x = columns->x + (size_t)m * GRAPH_COLUMN_ORDERS,
                 *y = columns->y + (size_t)m * GRAPH_COLUMN_ORDERS + k;
    if (tape->weight[m] == 0) {
      sum_products(x, of_x, y, of_y, k, false, &columns->p[m]);
      continue;
    }
    sum_products(x, of_x, y, of_y, k, true, &columns->p[m]);
    columns->p[m] *= 1.0 / k;
  }
}

static void columns_advance(GraphColumns *columns, int k) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  const double *c = series->c + (size_t)tape->rows * (size_t)k, *p = series->p + (size_t)tape->room * (size_t)k;
  for (int i = 0; i < tape->n_late; i++) *graph_columns_row(columns, tape->late[i], k) = (GraphColumn){0};
  if (k == 0) {
    columns_begin(columns, 0);
    return;
  }
  columns_past(columns, k);
  for (int i = 0; i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    GraphColumn sum = series->alpha[i] * *graph_columns_row(columns, link->a, k) +
                      series->beta[i] * *graph_columns_row(columns, link->b, k);
    if (link->m) { /* otherwise the slopes of the step are constant */
      sum += series->gamma[i] * columns->p[link->m];
      sum += columns->alpha[i] * c[link->a] + columns->beta[i] * c[link->b] + columns->gamma[i] * p[link->m];
    }
    *graph_columns_row(columns, tape->first + i, k) = sum;
  }
}

static void columns_values(GraphColumns *columns) {
  const GraphTape *tape = columns->series->tape;
  for (int i = 0; i < tape->n_late; i++) *graph_columns_row(columns, tape->late[i], 0) = (GraphColumn){0};
  columns_rows(columns, 0);
}

static void columns_take(GraphColumns *columns, int k) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  GraphColumn *change = columns->change;
  if (k == 0 && tape->n_late) columns_begin(columns, tape->late_step);
  for (int i = 0; k && i < tape->n_late; i++) change[tape->late[i]] = *graph_columns_row(columns, tape->late[i], k);
  for (int i = tape->late_step; k && i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    change[tape->first + i] = series->alpha[i] * change[link->a] + series->beta[i] * change[link->b];
    *graph_columns_row(columns, tape->first + i, k) += change[tape->first + i];
  }
  for (int m = 0; m < tape->n_entries; m++) {
    size_t to = (size_t)m * GRAPH_COLUMN_ORDERS + (size_t)k, from = (size_t)k * (size_t)tape->room + (size_t)m;
    columns->x[to] = series->x[from];
    columns->y[to] = series->y[from];
  }
}

const GraphKernel KERNEL = {KERNEL_NAME, begin, advance, take, columns_values, columns_advance, columns_take};
