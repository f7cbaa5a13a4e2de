/* The body of a kernel, included once for each instruction set by a file that defines KERNEL, its name. */
#include "sim/graph/kernel.h"

#include <math.h>

static inline double sign_of(double x) { return (double)((x > 0) - (x < 0)); }

/* A comparison, or sign, by the sign of a - b. */
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

/* Whether a choice takes its first row. */
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

/* alpha, beta, gamma, of all rows' values. */
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

/* P of order k. The vectors are of all widths; each sum has the same order. */
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

/* How the slopes of step i change, of the changes d of all values. */
static void columns_slopes(GraphColumns *columns, int i) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  const GraphStep *step = &tape->steps[i];
  const GraphColumn *d = columns->c, zero = {0};
  GraphColumn alpha = zero, beta = zero, gamma = zero;
  double z = series->c[tape->first + i], h = series->alpha[i];
  switch (step->op) {
  case TAPE_PRODUCT:
    alpha = d[step->b];
    beta = d[step->a];
    break;
  case TAPE_SQUARE: alpha = 2 * d[step->a]; break;
  case TAPE_QUOTIENT:
    alpha = -h * h * d[step->b];
    beta = -h * d[tape->first + i] - z * alpha;
    gamma = -alpha;
    break;
  case TAPE_ROOT:
    alpha = -h / z * d[tape->first + i];
    gamma = -alpha;
    break;
  case TAPE_RATE_TIMES: alpha = step->f * d[step->u]; break;
  case TAPE_RATE_OVER:
    alpha = -h * h * d[step->u];
    gamma = -alpha;
    break;
  default: break;
  }
  columns->alpha[i] = alpha;
  columns->beta[i] = beta;
  columns->gamma[i] = gamma;
}

/* Order 0: the value of a step changes by alpha d_a + beta d_b. */
static void columns_begin(GraphColumns *columns, int from) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  GraphColumn *d = columns->c;
  for (int i = from; i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    d[tape->first + i] = series->alpha[i] * d[link->a] + series->beta[i] * d[link->b];
  }
  for (int i = from; i < tape->n_steps; i++) columns_slopes(columns, i);
}

static void columns_past(GraphColumns *columns, int k) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  size_t room = (size_t)tape->room;
  GraphColumn *restrict p = columns->p + (size_t)k * room;
  for (int m = 0; m < tape->n_entries; m++) {
    GraphColumn sum = {0};
    for (int j = 1; j < k; j++) {
      size_t low = (size_t)j * room + (size_t)m, high = (size_t)(k - j) * room + (size_t)m;
      sum += series->x[low] * columns->y[high] + series->y[high] * columns->x[low];
    }
    p[m] = sum * (1 + (1.0 / k - 1) * tape->weight[m]);
  }
}

static void columns_advance(GraphColumns *columns, int k) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  size_t rows = (size_t)tape->rows * (size_t)k, room = (size_t)tape->room * (size_t)k;
  GraphColumn *d = columns->c + rows;
  const double *c = series->c + rows, *p = series->p + room;
  const GraphColumn *dp = columns->p + room;
  for (int i = 0; i < tape->n_late; i++) d[tape->late[i]] = (GraphColumn){0};
  if (k == 0) {
    columns_begin(columns, 0);
    return;
  }
  columns_past(columns, k);
  for (int i = 0; i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    GraphColumn sum = series->alpha[i] * d[link->a] + series->beta[i] * d[link->b] + series->gamma[i] * dp[link->m];
    sum += columns->alpha[i] * c[link->a] + columns->beta[i] * c[link->b] + columns->gamma[i] * p[link->m];
    d[tape->first + i] = sum;
  }
}

static void columns_take(GraphColumns *columns, int k) {
  const GraphSeries *series = columns->series;
  const GraphTape *tape = series->tape;
  GraphColumn *d = columns->c + (size_t)k * (size_t)tape->rows, *change = columns->change;
  GraphColumn *x = columns->x + (size_t)k * (size_t)tape->room, *y = columns->y + (size_t)k * (size_t)tape->room;
  if (k == 0 && tape->n_late) columns_begin(columns, tape->late_step);
  for (int i = 0; k && i < tape->n_late; i++) change[tape->late[i]] = d[tape->late[i]];
  for (int i = tape->late_step; k && i < tape->n_steps; i++) {
    const GraphLink *link = &tape->links[i];
    change[tape->first + i] = series->alpha[i] * change[link->a] + series->beta[i] * change[link->b];
    d[tape->first + i] += change[tape->first + i];
  }
  for (int m = 0; m < tape->n_entries; m++) {
    x[m] = (1 + (k - 1) * tape->weight[m]) * d[tape->x_row[m]];
    y[m] = d[tape->y_row[m]];
  }
}

const GraphKernel KERNEL = {KERNEL_NAME, begin, advance, take, columns_advance, columns_take};
