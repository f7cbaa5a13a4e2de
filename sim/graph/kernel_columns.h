/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of the series in GRAPH_COLUMNS directions at once, for one instruction set. kernel_body.h includes
 * this file. */

/* Computes the derivatives of the slopes alpha, beta, gamma (tape.h) of step i from the derivatives of all values. */
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

/* Computes the derivatives of order 0 of the rows that the steps `from`, from + 1, .. compute. The derivative of
 * such a row is alpha d_a + beta d_b, where d_a and d_b are the derivatives of the step's operands. */
static void columns_rows(GraphColumns *columns, int from) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  for (int i = from; i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    *graph_columns_row(columns, tape->first + i, 0) = series->alpha[i] * *graph_columns_row(columns, link->a, 0) +
                                                      series->beta[i] * *graph_columns_row(columns, link->b, 0);
  }
}

/* Computes the derivatives of order 0 of the rows that the steps `from`, from + 1, .. compute, and of these steps'
 * slopes. */
static void columns_begin(GraphColumns *columns, int from) {
  columns_rows(columns, from);
  for (int i = from; i < columns->series->tape->n_steps; i++) columns_slopes(columns, i);
}

/* Computes *sum, the derivative of P, where P is the sum over 0 < j < k of X_j Y_(k-j) for a product X Y (tape.h).
 * weighed: each Y_i is multiplied by i, as in a quotient. y and of_y point to order k. Terms with odd and even j are
 * summed separately, so that additions need not wait for each other. */
static inline __attribute__((always_inline)) void sum_products(const double *x, const GraphColumn *of_x,
                                                               const double *y, const GraphColumn *of_y, int k,
                                                               bool weighed, GraphColumn *sum) {
  for (int part = 0; part < PARTS; part++) {
    const Part *dx = (const Part *)of_x + part, *dy = (const Part *)of_y + part;
    Part odd = {0}, other_odd = {0}, even = {0}, other_even = {0};
    for (int j = 1; j < k; j += 2) {
      odd += x[j] * dy[-j * PARTS];
      other_odd += (weighed ? j * y[-j] : y[-j]) * dx[j * PARTS];
      if (j + 1 == k) break;
      even += x[j + 1] * dy[(-j - 1) * PARTS];
      other_even += (weighed ? (j + 1) * y[-j - 1] : y[-j - 1]) * dx[(j + 1) * PARTS];
    }
    ((Part *)sum)[part] = odd + other_odd + (even + other_even);
  }
}

static void columns_past(GraphColumns *columns, int k) {
  const GraphTape *tape = columns->series->tape;
  for (int m = 0, weighed = 0; m < tape->n_entries; m++) {
    const GraphColumn *of_x = graph_columns_row(columns, tape->x_row[m], 0);
    const GraphColumn *of_y = graph_columns_row(columns, tape->y_row[m], k);
    const double *x = columns->x + (size_t)m * GRAPH_COLUMN_ORDERS,
                 *y = columns->y + (size_t)m * GRAPH_COLUMN_ORDERS + k;
    if (weighed == tape->n_weighed || tape->weighed[weighed] != m) {
      sum_products(x, of_x, y, of_y, k, false, &columns->p[m]);
      continue;
    }
    sum_products(x, of_x, y, of_y, k, true, &columns->p[m]);
    columns->p[m] *= 1.0 / k;
    weighed++;
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
    if (link->m) { /* without a product (m = 0) the slopes of the step are constant */
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
