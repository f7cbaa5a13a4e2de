/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/expansion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static GraphRole role_of(const MechanismEquations *equations, int variable) {
  int d = equations->d, constant = variable - 3 * d - 1;
  if (constant >= equations->n_constants) return GRAPH_VARIES;
  if (constant >= 0)
    return equations->differentiated && equations->differentiated[constant] ? GRAPH_DIFFERENTIATED : GRAPH_CONSTANT;
  return variable >= 2 * d && variable < 3 * d ? GRAPH_LATE : GRAPH_VARIES;
}

static GraphTape *make_tape(const Graph *graph, const MechanismEquations *equations, const char **why) {
  int d = equations->d, n = 3 * d + 1 + equations->n_constants + equations->n_forces,
      sides = 2 * d + equations->n_others, count = equations->sides ? sides + 2 * d : sides;
  GraphRole *roles = calloc((size_t)n, sizeof *roles);
  int *outputs = malloc((size_t)count * sizeof *outputs);
  GraphTape *tape = NULL;
  if (roles && outputs) {
    for (int i = 0; i < n; i++) roles[i] = role_of(equations, i);
    for (int i = 0; i < d; i++) {
      outputs[i] = equations->residuals[i];
      outputs[d + i] = equations->thresholds ? equations->thresholds[i] : equations->residuals[i];
    }
    for (int i = 0; i < equations->n_others; i++) outputs[2 * d + i] = equations->others[i];
    for (int i = 0; i < count - sides; i++) outputs[sides + i] = equations->sides[i];
    tape = graph_tape_create(graph, n, roles, count, outputs, why);
  }
  free(roles);
  free(outputs);
  return tape;
}

Expansion *expansion_create(const Graph *graph, const MechanismEquations *equations, const char **why) {
  Expansion *expansion = calloc(1, sizeof *expansion);
  *why = NULL;
  if (!expansion) return NULL;
  size_t n = (size_t)equations->d;
  expansion->d = equations->d;
  expansion->n_constants = equations->n_constants;
  expansion->n_forces = equations->n_forces;
  expansion->sides = 2 * equations->d + equations->n_others;
  expansion->has_friction = equations->thresholds;
  expansion->factor = calloc(n * n, sizeof *expansion->factor);
  expansion->mass = calloc(n * n, sizeof *expansion->mass);
  expansion->load = calloc(3 * n, sizeof *expansion->load);
  expansion->first = expansion->load ? expansion->load + n : NULL;
  expansion->differentiated = calloc((size_t)equations->n_constants + 1, sizeof *expansion->differentiated);
  for (int i = 0; expansion->differentiated && equations->differentiated && i < equations->n_constants; i++)
    expansion->differentiated[i] = equations->differentiated[i];
  expansion->sliding = calloc(n, sizeof *expansion->sliding);
  expansion->slips = calloc(n, sizeof *expansion->slips);
  expansion->zeros = calloc(n, sizeof *expansion->zeros);
  if (expansion->mass && expansion->factor && expansion->load && expansion->sliding && expansion->slips &&
      expansion->differentiated && expansion->zeros)
    expansion->tape = make_tape(graph, equations, why);
  if (expansion->tape) expansion->series = graph_series_create(expansion->tape);
  if (expansion->series) return expansion;
  expansion_destroy(expansion);
  return NULL;
}

void expansion_destroy(Expansion *expansion) {
  if (!expansion) return;
  graph_series_destroy(expansion->series);
  graph_tape_destroy(expansion->tape);
  free(expansion->mass);
  free(expansion->factor);
  free(expansion->load);
  free(expansion->sliding);
  free(expansion->slips);
  free(expansion->zeros);
  free(expansion->differentiated);
  free(expansion);
}

/* Computes the Cholesky factor L of M_SS = L L', the mass matrix of the sliding coordinates, and stores it with the
 * inverses of its diagonal entries. Returns false if M_SS is not positive definite. */
static bool factor_mass(Expansion *expansion) {
  int d = expansion->d, n = expansion->n_sliding;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double *row = expansion->factor + (size_t)i * (size_t)d, *other = expansion->factor + (size_t)j * (size_t)d;
      double sum = expansion->mass[expansion->sliding[i] * d + expansion->sliding[j]];
      for (int k = 0; k < j; k++) sum -= row[k] * other[k];
      if (i == j && !(sum > 0)) return false;
      row[j] = i == j ? 1 / sqrt(sum) : sum * other[j];
    }
  return true;
}

/* Solves M_SS x = b for the accelerations of the sliding coordinates. x: b on entry, the solution on return. An entry is
 * subtracted from all others as soon as it is known, so that subtractions need not wait for each other. */
static void solve(const Expansion *expansion, double *restrict x) {
  int d = expansion->d, n = expansion->n_sliding;
  const double *factor = expansion->factor;
  for (int j = 0; j < n; j++) {
    double known = x[j] *= factor[j * d + j];
    for (int i = j + 1; i < n; i++) x[i] -= factor[i * d + j] * known;
  }
  for (int j = n - 1; j >= 0; j--) {
    double known = x[j] *= factor[j * d + j];
    for (int i = 0; i < j; i++) x[i] -= factor[j * d + i] * known;
  }
}

/* Computes order k + 1 of the coordinates. */
static void follow(Expansion *expansion, int k) {
  const GraphTape *tape = expansion->tape;
  int d = expansion->d;
  double *c = expansion->series->c + (size_t)k * (size_t)tape->rows, *next = c + tape->rows, part = 1.0 / (k + 1);
  for (int i = 0; i < d; i++) next[tape->variable[i]] = c[tape->variable[d + i]] * part;
}

void expansion_take(Expansion *expansion, int k, const double *a) {
  const GraphTape *tape = expansion->tape;
  int d = expansion->d;
  double *c = expansion->series->c + (size_t)k * (size_t)tape->rows, *next = c + tape->rows, part = 1.0 / (k + 1);
  for (int i = 0; i < d; i++) {
    c[tape->variable[2 * d + i]] = a[i];
    next[tape->variable[d + i]] = a[i] * part;
  }
  graph_series_take(expansion->series, k);
  follow(expansion, k);
}

/* Computes the accelerations of order k, and order k + 1 of the velocities. */
static void accelerate(Expansion *expansion, int k) {
  const GraphTape *tape = expansion->tape;
  int d = expansion->d, n = expansion->n_sliding;
  double *c = expansion->series->c + (size_t)k * (size_t)tape->rows, *next = c + tape->rows, part = 1.0 / (k + 1);
  double *load = expansion->load;
  for (int i = 0; i < n; i++) {
    int at = expansion->sliding[i];
    double r = k > 0 ? c[tape->output[at]] : expansion->first[at];
    double threshold = k > 0 ? c[tape->output[d + at]] : expansion->first[d + at];
    load[i] = -(r + (expansion->has_friction ? threshold * expansion->slips[i] : 0));
  }
  solve(expansion, load);
  for (int i = 0; i < n; i++) {
    int at = expansion->sliding[i];
    double a = k + 1 < expansion->zeros[at] ? 0 : load[i];
    c[tape->variable[2 * d + at]] = a;
    next[tape->variable[d + at]] = a * part;
  }
}

/* Computes order 0 of all series, i.e. the values at the start of a piece, at the state that is set, with accelerations
 * 0, and the mass matrix M. look: whether the signs of kinks are set by their switching functions here; if false, the
 * signs that the caller has set are used. */
static void begin(Expansion *expansion, bool look) {
  int d = expansion->d;
  graph_series_begin(expansion->series, look);
  for (int i = 0; i < 2 * d; i++) expansion->first[i] = graph_series_get(expansion->series, i, 0);
  graph_series_slopes(expansion->series, d, expansion->mass);
}

void expansion_order_0(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                       bool look) {
  GraphSeries *series = expansion->series;
  int d = expansion->d;
  for (int i = 0; i < d; i++) {
    graph_series_set(series, i, 0, q[i]);
    graph_series_set(series, d + i, 0, v[i]);
  }
  graph_series_set(series, 3 * d, 0, t);
  graph_series_set(series, 3 * d, 1, 1);
  for (int i = 0; i < expansion->n_constants; i++) graph_series_set(series, 3 * d + 1 + i, 0, constants[i]);
  begin(expansion, look);
}

void expansion_along(Expansion *expansion, const double *dq, const double *dv, const double *da, double dt) {
  GraphSeries *series = expansion->series;
  int d = expansion->d;
  for (int i = 0; i < d; i++) graph_series_set(series, 2 * d + i, 0, 0);
  graph_series_take(series, 0);
  for (int i = 0; i < d; i++) {
    graph_series_set(series, i, 1, dq[i]);
    graph_series_set(series, d + i, 1, dv[i]);
  }
  graph_series_set(series, 3 * d, 1, dt);
  graph_series_advance(series, 1);
  for (int i = 0; i < d; i++) graph_series_set(series, 2 * d + i, 1, da[i]);
  graph_series_take(series, 1);
}

bool expansion_mass_is_positive(Expansion *expansion) {
  expansion->n_sliding = expansion->d;
  for (int i = 0; i < expansion->d; i++) expansion->sliding[i] = i;
  return factor_mass(expansion);
}

/* If the switching function of a kink is 0 at t0, its sign may only follow from order k. Then order 0 is computed again
 * with the slopes that hold on this side of the kink. */
void expansion_next(Expansion *expansion, int k) {
  GraphSeries *series = expansion->series;
  graph_series_advance(series, k);
  if (series->tape->n_kinks == 0 || !graph_series_signs(series, k)) return;
  for (int i = 0; i < expansion->d; i++) expansion->load[i] = expansion_speed(expansion, i, 1);
  graph_series_begin(series, false);
  expansion->placed = false;
  for (int i = 0; i < expansion->d; i++) graph_series_set(series, 2 * expansion->d + i, 0, expansion->load[i]);
  graph_series_take(series, 0);
  graph_series_advance(series, k);
}

/* Whether the orders so far, up to k, are all that are needed. */
static bool suffices(Expansion *expansion, int k) {
  /* From order expansion->least on, expansion->enough is called at every EACH-th order. */
  enum { EACH = 3 };
  expansion->order = k;
  bool asks = expansion->enough && k >= expansion->least && (k - expansion->least) % EACH == 0 && k < expansion->most;
  return k == expansion->most || (asks && expansion->enough(expansion->context, expansion));
}

/* Computes order 0 with accelerations. */
static bool make_order_0(Expansion *expansion) {
  if (!factor_mass(expansion)) return false;
  accelerate(expansion, 0);
  graph_series_take(expansion->series, 0);
  follow(expansion, 0);
  return true;
}

/* Computes the orders up to `most`, or until they suffice, with the present signs of the kinks. */
static bool make_orders(Expansion *expansion) {
  if (!make_order_0(expansion)) return false;
  for (int k = 0; !suffices(expansion, k);) {
    graph_series_advance(expansion->series, ++k);
    accelerate(expansion, k);
    graph_series_take(expansion->series, k);
    follow(expansion, k);
  }
  return true;
}

void expansion_make_together(GraphLanes *lanes, Expansion *const *expansions) {
  int running = 0;
  for (int lane = 0; lane < GRAPH_LANES; lane++) {
    Expansion *expansion = expansions[lane];
    lanes->series[lane] = expansion && make_order_0(expansion) ? expansion->series : NULL;
    if (!lanes->series[lane]) continue;
    expansion->stage = EXPANSION_MADE;
    running++;
  }
  if (running) graph_lanes_begin(lanes);
  for (int k = 0; running; k++) {
    if (k > 0) graph_lanes_advance(lanes, k);
    for (int lane = 0; k > 0 && lane < GRAPH_LANES; lane++)
      if (lanes->series[lane]) accelerate(expansions[lane], k);
    if (k > 0) graph_lanes_take(lanes, k);
    for (int lane = 0; lane < GRAPH_LANES; lane++) {
      if (!lanes->series[lane]) continue;
      if (k > 0) follow(expansions[lane], k);
      if (!suffices(expansions[lane], k)) continue;
      lanes->series[lane] = NULL;
      running--;
    }
  }
}

void expansion_start(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                     const double *slips, int order, bool look) {
  GraphSeries *series = expansion->series;
  int d = expansion->d;
  double *own = expansion->load; /* velocities at t0, with 0 for a coordinate that sticks */
  expansion->n_sliding = 0;
  for (int i = 0; i < d; i++) {
    own[i] = slips[i] != 0 ? v[i] : 0;
    for (int k = 1; slips[i] == 0 && k <= order + 1; k++) graph_series_set(series, d + i, k, 0);
    if (slips[i] == 0) continue;
    expansion->slips[expansion->n_sliding] = slips[i];
    expansion->sliding[expansion->n_sliding++] = i;
  }
  for (int i = 0; i < d; i++) graph_series_set(series, 2 * d + i, 0, 0);
  if (!expansion->placed) expansion_order_0(expansion, t, q, own, constants, look);
  expansion->kept = expansion->placed;
  expansion->placed = false;
  expansion->most = order;
  expansion->stage = EXPANSION_STARTED;
}

bool expansion_make(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                    const double *slips, int order, bool look) {
  enum { ROUNDS = 4 /* number of repetitions, as the sign of one kink may follow from that of another */ };
  GraphSeries *series = expansion->series;
  if (expansion->stage == EXPANSION_NONE) expansion_start(expansion, t, q, v, constants, slips, order, look);
  bool made = expansion->stage == EXPANSION_MADE;
  expansion->stage = EXPANSION_NONE;
  for (int k = 0; k < ROUNDS; k++, made = false) {
    if (!made && !make_orders(expansion)) return false;
    expansion->settled = series->tape->n_kinks == 0 || !graph_series_signs(series, expansion->order);
    if (expansion->settled) break;
    expansion->kept = false;
    begin(expansion, false);
  }
  int last = expansion->order + 2;
  for (int i = 0; i < expansion->d; i++)
    graph_series_set(series, i, last, expansion_speed(expansion, i, last - 1) / last);
  return true;
}

/* Returns x^n, n >= 0. */
static double power_of(double x, int n) {
  double power = n % 2 ? x : 1;
  for (n /= 2; n > 0; n /= 2) {
    x *= x;
    if (n % 2) power *= x;
  }
  return power;
}

/* For most series the limit is the result; comparing powers instead of computing roots keeps this case fast. */
double expansion_terms_reach(int order, const double *terms, double tolerance, double limit) {
  double reach = limit;
  int first = 0; /* finds the first order with a nonzero term: a motion may begin with a higher power of time */
  while (first + 2 < order && terms[first] == 0) first++;
  if (terms[first] == 0)
    return limit; /* without a nonzero term of low order there is nothing to compare the last terms
                                        * with */
  for (int k = order - 1; k <= order; k++) {
    double later = 0, size = terms[k];
    bool far = !(size > 0);
    for (int j = first; j < first + 2 && !far; j++) far = size * power_of(reach, k - j) <= tolerance * terms[j];
    for (int j = first; j < first + 2 && !far; j++)
      later = fmax(later, pow(tolerance * terms[j] / size, 1.0 / (k - j)));
    if (!far) reach = fmin(reach, later);
  }
  return reach;
}

/* Returns expansion_terms_reach for the largest coefficients of several rows. Only those orders are computed that
 * expansion_terms_reach uses. */
static double rows_reach(const Expansion *expansion, int n, const int *rows, int order, double tolerance,
                         double limit) {
  double terms[GRAPH_ORDER_MAX + 1];
  size_t size = (size_t)expansion->tape->rows;
  bool begins = true;
  for (int k = 0; k <= order; k++) {
    const double *c = expansion->series->c + (size_t)k * size;
    terms[k] = 0;
    for (int i = 0; i < n; i++)
      if (fabs(c[rows[i]]) > terms[k]) terms[k] = fabs(c[rows[i]]);
    if (!begins && k < order - 1) k = order - 2;
    begins = begins && terms[k] == 0;
  }
  return expansion_terms_reach(order, terms, tolerance, limit);
}

double expansion_reach(const Expansion *expansion, double tolerance, double limit) {
  int d = expansion->d;
  return rows_reach(expansion, d, expansion->tape->variable + d, expansion->order + 1, tolerance, limit);
}

double expansion_row_reach(const Expansion *expansion, int row, double tolerance, double limit) {
  const GraphTape *tape = expansion->tape;
  if (row == 0 || (row > tape->n_variables && row < tape->first)) return limit; /* it is constant in time */
  return rows_reach(expansion, 1, &row, expansion->order, tolerance, limit);
}

void expansion_state(const Expansion *expansion, double after, double *q, double *v) {
  for (int i = 0; i < expansion->d; i++) {
    double place = 0, speed = 0;
    for (int k = expansion->order + 2; k >= 0; k--) place = place * after + expansion_place(expansion, i, k);
    for (int k = expansion->order + 1; k >= 0; k--) speed = speed * after + expansion_speed(expansion, i, k);
    if (q) q[i] = place;
    if (v) v[i] = speed;
  }
}
