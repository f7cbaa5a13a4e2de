/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/expansion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static GraphRole role_of(const MechanismEquations *equations, int variable) {
  int d = equations->d, constant = variable - 3 * d - 1;
  if (constant >= equations->n_constants) return GRAPH_VARIES;
  if (constant >= 0)
    return equations->differentiated && equations->differentiated[constant] ? GRAPH_VARIES : GRAPH_CONSTANT;
  return variable >= 2 * d && variable < 3 * d ? GRAPH_LATE : GRAPH_VARIES;
}

static GraphTape *make_tape(const Graph *graph, const MechanismEquations *equations, const char **why) {
  int d = equations->d, n = 3 * d + 1 + equations->n_constants + equations->n_forces,
      count = 2 * d + equations->n_others;
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
  expansion->has_friction = equations->thresholds;
  expansion->factor = calloc(n * n, sizeof *expansion->factor);
  expansion->mass = calloc(n * n, sizeof *expansion->mass);
  expansion->load = calloc(2 * n + (size_t)equations->n_others, sizeof *expansion->load);
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

static void find_mass(Expansion *expansion) {
  int d = expansion->d;
  for (int j = 0; j < d; j++) {
    graph_series_slopes(expansion->series, j, expansion->load);
    for (int i = 0; i < d; i++) expansion->mass[i * d + j] = expansion->load[i];
  }
}

/* Computes the Cholesky factor L of M_SS = L L', the mass matrix of the coordinates that slide, and stores it with
 * inverted diagonal entries. Returns false if M_SS is not positive definite. */
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

/* Solves M_SS x = b for the accelerations of the coordinates that slide. x: the right side b on entry, the solution on
 * return. */
static void solve(const Expansion *expansion, double *x) {
  int d = expansion->d, n = expansion->n_sliding;
  const double *factor = expansion->factor;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[i] -= factor[i * d + j] * x[j];
    x[i] *= factor[i * d + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= factor[j * d + i] * x[j];
    x[i] *= factor[i * d + i];
  }
}

/* Computes order k + 1 of the velocities and of the coordinates from the accelerations of order k, which are set. */
static void follow(Expansion *expansion, int k) {
  GraphSeries *series = expansion->series;
  int d = expansion->d;
  graph_series_take(series, k);
  for (int i = 0; i < d; i++) graph_series_set(series, i, k + 1, expansion_speed(expansion, i, k) * (1.0 / (k + 1)));
}

static void set_acceleration(Expansion *expansion, int i, int k, double a) {
  graph_series_set(expansion->series, 2 * expansion->d + i, k, a);
  graph_series_set(expansion->series, expansion->d + i, k + 1, a * (1.0 / (k + 1)));
}

void expansion_take(Expansion *expansion, int k, const double *a) {
  for (int i = 0; i < expansion->d; i++) set_acceleration(expansion, i, k, a[i]);
  follow(expansion, k);
}

/* Computes the accelerations of order k. */
static void take_order(Expansion *expansion, int k) {
  GraphSeries *series = expansion->series;
  int d = expansion->d;
  double *load = expansion->load;
  for (int i = 0; i < expansion->n_sliding; i++) {
    int at = expansion->sliding[i];
    double friction = expansion->has_friction ? graph_series_get(series, d + at, k) * expansion->slips[i] : 0;
    load[i] = -(graph_series_get(series, at, k) + friction);
  }
  solve(expansion, load);
  for (int i = 0; i < expansion->n_sliding; i++) {
    int at = expansion->sliding[i];
    set_acceleration(expansion, at, k, k + 1 < expansion->zeros[at] ? 0 : load[i]);
  }
  follow(expansion, k);
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
  graph_series_begin(series, look);
  find_mass(expansion);
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

/* The function of a kink may be 0 at t0 and show its sign only in order k. Then order 0 is computed again, with the
 * slopes on the side of this sign. */
void expansion_next(Expansion *expansion, int k) {
  GraphSeries *series = expansion->series;
  graph_series_advance(series, k);
  if (series->tape->n_kinks == 0 || !graph_series_signs(series, k)) return;
  for (int i = 0; i < expansion->d; i++) expansion->load[i] = expansion_speed(expansion, i, 1);
  graph_series_begin(series, false);
  for (int i = 0; i < expansion->d; i++) graph_series_set(series, 2 * expansion->d + i, 0, expansion->load[i]);
  graph_series_take(series, 0);
  graph_series_advance(series, k);
}

/* Computes all orders up to `order` with the present signs of the kinks. */
static bool make_orders(Expansion *expansion, int order) {
  if (!factor_mass(expansion)) return false;
  for (int k = 0; k <= order; k++) {
    if (k > 0) graph_series_advance(expansion->series, k);
    take_order(expansion, k);
  }
  return true;
}

bool expansion_make(Expansion *expansion, double t, const double *q, const double *v, const double *constants,
                    const double *slips, int order, bool look) {
  enum { ROUNDS = 4 /* number of repetitions, as the sign of one kink may follow from that of another */ };
  GraphSeries *series = expansion->series;
  int d = expansion->d;
  double *own = expansion->load; /* own: velocities v at t0, 0 for a coordinate that sticks */
  expansion->order = order;
  expansion->n_sliding = 0;
  for (int i = 0; i < d; i++) {
    own[i] = slips[i] != 0 ? v[i] : 0;
    for (int k = 1; k <= order + 1; k++) graph_series_set(series, d + i, k, 0);
    if (slips[i] == 0) continue;
    expansion->slips[expansion->n_sliding] = slips[i];
    expansion->sliding[expansion->n_sliding++] = i;
  }
  expansion_order_0(expansion, t, q, own, constants, look);
  for (int k = 0; k < ROUNDS; k++) {
    if (!make_orders(expansion, order)) return false;
    expansion->settled = series->tape->n_kinks == 0 || !graph_series_signs(series, order);
    if (expansion->settled) break;
    graph_series_begin(series, false);
    find_mass(expansion);
  }
  for (int i = 0; i < d; i++)
    graph_series_set(series, i, order + 2, expansion_speed(expansion, i, order + 1) / (order + 2));
  return true;
}

double expansion_terms_reach(int order, const double *terms, double tolerance) {
  double reach = INFINITY;
  int first = 0; /* motions may begin with higher orders, so the first order that is not 0 is found */
  while (first + 2 < order && terms[first] == 0) first++;
  for (int k = order - 1; k <= order; k++) {
    double later = 0, size = terms[k];
    for (int j = first; size > 0 && j < first + 2; j++)
      later = fmax(later, pow(tolerance * terms[j] / size, 1.0 / (k - j)));
    if (size > 0) reach = fmin(reach, later);
  }
  return reach;
}

double expansion_reach(const Expansion *expansion, double tolerance) {
  double terms[GRAPH_ORDER_MAX + 1];
  for (int k = 0; k <= expansion->order + 1; k++) {
    terms[k] = 0;
    for (int i = 0; i < expansion->d; i++) terms[k] = fmax(terms[k], fabs(expansion_speed(expansion, i, k)));
  }
  return expansion_terms_reach(expansion->order + 1, terms, tolerance);
}

double expansion_row_reach(const Expansion *expansion, int row, double tolerance) {
  double terms[GRAPH_ORDER_MAX + 1];
  for (int k = 0; k <= expansion->order; k++)
    terms[k] = fabs(expansion->series->c[(size_t)k * (size_t)expansion->tape->rows + (size_t)row]);
  return expansion_terms_reach(expansion->order, terms, tolerance);
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
