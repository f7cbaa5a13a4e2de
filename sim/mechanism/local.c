/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/local.h"
#include "sim/graph/formula.h"
#include "sim/mechanism/columns.h"
#include "sim/mechanism/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dgeev_(const char *left, const char *right, const int *n, double *a, const int *a_rows, double *re, double *im,
            double *vl, const int *vl_rows, double *vr, const int *vr_rows, double *work, const int *work_size,
            int *info, size_t, size_t);

void mechanism_local_clear(MechanismLocal *local) {
  free(local->mass);
  free(local->load);
  free(local->thresholds);
  free(local->damping);
  free(local->acceleration);
  free(local->sticks);
  *local = (MechanismLocal){0};
}

/* Computes *rate, the largest |eigenvalue| of a matrix [n][n], which is overwritten. Returns false without memory, or
 * if LAPACK does not find the eigenvalues. */
static bool find_rate(int n, double *matrix, double *rate) {
  int size = 10 * n, one = 1, info = 1;
  double *values = malloc((size_t)(2 * n + size) * sizeof *values);
  if (values)
    dgeev_("N", "N", &n, matrix, &n, values, values + n, NULL, &one, NULL, &one, values + 2 * n, &size, &info, 1, 1);
  *rate = 0;
  for (int i = 0; info == 0 && i < n; i++) *rate = fmax(*rate, hypot(values[i], values[n + i]));
  free(values);
  return info == 0;
}

/* Computes the matrix of the linearised motion, the derivatives of (v, q'') by (q, v), GRAPH_COLUMNS columns at a time.
 * From it follow the damping -M dq''/dv of each coordinate and the fastest rate. */
static MechanismFault find_rates(const Expansion *expansion, MechanismLocal *local, const char **why) {
  size_t d = (size_t)expansion->d, n = 2 * d;
  ExpansionColumns *columns = expansion_columns_create(expansion);
  double *matrix = calloc(n * n, sizeof *matrix);
  GraphColumn *seeds = aligned_alloc(sizeof *seeds, n * sizeof *seeds);
  bool good = columns && matrix && seeds;
  for (size_t first = 0; good && first < n; first += GRAPH_COLUMNS) {
    memset(seeds, 0, n * sizeof *seeds);
    for (size_t k = 0; k < GRAPH_COLUMNS && first + k < n; k++) seeds[first + k][k] = 1;
    expansion_columns_make(columns, seeds, seeds + d, NULL);
    for (size_t k = 0; k < GRAPH_COLUMNS && first + k < n; k++)
      for (size_t i = 0; i < d; i++) {
        matrix[i * n + first + k] = i + d == first + k;
        matrix[(d + i) * n + first + k] = (*graph_columns_variable(columns->columns, (int)(d + i), 1))[k];
      }
  }
  MechanismFault fault = good ? MECHANISM_GOOD : MECHANISM_NO_MEMORY;
  for (size_t i = 0; good && i < n * n; i++)
    if (!isfinite(matrix[i])) fault = MECHANISM_NO_SERIES;
  if (fault == MECHANISM_NO_SERIES)
    *why = "a term has no power series at x0, v0 and t = 0, as abs(q')^1.5 where q' = 0 (expected a smooth term, as "
           "(q'^2 + 1e-8)^0.75, or (max(0, q) + 1e-9)^1.5 for max(0, q)^1.5)";
  for (size_t i = 0; fault == MECHANISM_GOOD && i < d; i++)
    for (size_t j = 0; j < d; j++) local->damping[i] -= local->mass[i * d + j] * matrix[(d + j) * n + d + i];
  if (fault == MECHANISM_GOOD && !find_rate((int)n, matrix, &local->rate)) fault = MECHANISM_NO_MEMORY;
  expansion_columns_destroy(columns);
  free(matrix);
  free(seeds);
  return fault;
}

/* Computes the accelerations a, which minimise a.M a/2 + a.load + the sum of c |a| over the coordinates at rest. The
 * friction of sliding coordinates is part of the load. The method is Gauss-Seidel: one coordinate after another, until
 * no acceleration changes. */
static void decide(MechanismLocal *local, const double *v) {
  enum { ROUNDS = 1000 };
  int d = local->d;
  double change = 1, size = 1;
  for (int round = 0; round < ROUNDS && change > 1e-14 * size; round++) {
    change = 0;
    size = 0;
    for (int i = 0; i < d; i++) {
      double sum = local->load[i], above = local->thresholds[i], below = local->thresholds[d + i], a = 0;
      for (int j = 0; j < d; j++) sum += j == i ? 0 : local->mass[i * d + j] * local->acceleration[j];
      bool rests = v[i] == 0 && sum >= -above && sum <= below;
      if (!rests) a = v[i] > 0 || (v[i] == 0 && sum < 0) ? -(sum + above) : -(sum - below);
      a /= local->mass[i * d + i];
      local->sticks[i] = rests && above + below > 0;
      change = fmax(change, fabs(a - local->acceleration[i]));
      size = fmax(size, fabs(a));
      local->acceleration[i] = a;
    }
  }
}

static MechanismFault find_fault(const MechanismLocal *local, int *at) {
  for (*at = 0; *at < local->d; ++*at) {
    double above = local->thresholds[*at], below = local->thresholds[local->d + *at];
    if (!isfinite(local->load[*at]) || !isfinite(above) || !isfinite(below)) return MECHANISM_NOT_FINITE;
    if (above < 0 || below < 0) return MECHANISM_NEGATIVE;
  }
  return MECHANISM_GOOD;
}

/* Makes the nodes of the thresholds of both directions, sides [2][d]. Returns false without memory. */
static bool make_sides(SimMechanism *mechanism, const double *v, int *sides) {
  int d = mechanism->d;
  if (!mechanism_sides(&mechanism->graph, d, mechanism->thresholds, sides)) return false;
  for (int i = 0; i < d; i++)
    if (v[i] != 0) sides[i] = sides[d + i] = mechanism->thresholds[i];
  return true;
}

/* Computes the loads and thresholds with q'' = 0. nodes: [3][d] of the loads, and of the thresholds of both directions.
 * Returns false without memory. */
static bool find_loads(const SimMechanism *mechanism, const int *nodes, double t, const double *q, const double *v,
                       MechanismLocal *local) {
  int d = mechanism->d, n = 3 * d + 1 + mechanism->n_parameters;
  double *values = calloc((size_t)n, sizeof *values);
  GraphFormula *loads = graph_formula_create(&mechanism->graph, n, d, nodes);
  GraphFormula *thresholds = graph_formula_create(&mechanism->graph, n, 2 * d, nodes + d);
  bool good = values && loads && thresholds;
  for (int i = 0; good && i < d; i++) {
    values[i] = q[i];
    values[d + i] = v[i];
  }
  if (good) {
    values[3 * d] = t;
    for (int k = 0; k < mechanism->n_parameters; k++) values[3 * d + 1 + k] = mechanism->values[k];
    graph_formula_values(loads, values, local->load);
    graph_formula_values(thresholds, values, local->thresholds);
  }
  graph_formula_destroy(loads);
  graph_formula_destroy(thresholds);
  free(values);
  return good;
}

/* Computes the mass matrix M, the coordinates that stick, the accelerations, and the fastest rate of the linearised
 * motion. */
static MechanismFault expand(Expansion *expansion, const SimMechanism *mechanism, double t, const double *q,
                             const double *v, MechanismLocal *local, int *at, const char **why) {
  int d = mechanism->d;
  double *slips = malloc((size_t)d * sizeof *slips);
  if (!slips) return MECHANISM_NO_MEMORY;
  for (int i = 0; i < d; i++) slips[i] = v[i] < 0 ? -1 : 1;
  bool regular = expansion_make(expansion, t, q, v, mechanism->values, slips, 0, true);
  free(slips);
  for (int i = 0; i < d * d; i++) {
    local->mass[i] = expansion->mass[i];
    *at = i / d;
    if (!isfinite(local->mass[i])) return MECHANISM_NOT_FINITE;
  }
  if (!regular) return MECHANISM_SINGULAR;
  for (int i = 0; i < d; i++) { /* compares M_ii with the square of L_ii: their ratio shows whether M is positive
                                 * definite to working precision */
    double inverse = expansion->factor[i * d + i];
    if (!(local->mass[i * d + i] * inverse * inverse < 1e13)) return MECHANISM_SINGULAR;
  }
  decide(local, v);
  return find_rates(expansion, local, why);
}

MechanismFault mechanism_local(SimMechanism *mechanism, double t, const double *q, const double *v,
                               MechanismLocal *local, int *at, const char **why) {
  size_t d = (size_t)mechanism->d;
  int *nodes = calloc(3 * d, sizeof *nodes);
  *local = (MechanismLocal){.d = mechanism->d,
                            .mass = calloc(d * d, sizeof(double)),
                            .load = calloc(d, sizeof(double)),
                            .thresholds = calloc(2 * d, sizeof(double)),
                            .damping = calloc(d, sizeof(double)),
                            .acceleration = calloc(d, sizeof(double)),
                            .sticks = calloc(d, sizeof(bool))};
  bool good = nodes && local->mass && local->load && local->thresholds && local->damping && local->acceleration &&
              local->sticks;
  for (size_t i = 0; good && i < d; i++)
    good = (nodes[i] = graph_subtract(&mechanism->graph, mechanism->residuals[i], mechanism->applied[i])) >= 0;
  good = good && make_sides(mechanism, v, nodes + d);
  const MechanismEquations equations = {.d = mechanism->d,
                                        .n_constants = mechanism->n_parameters,
                                        .residuals = nodes,
                                        .thresholds = mechanism->thresholds};
  *why = NULL;
  good = good && find_loads(mechanism, nodes, t, q, v, local);
  MechanismFault fault = good ? find_fault(local, at) : MECHANISM_NO_MEMORY;
  Expansion *expansion = fault == MECHANISM_GOOD ? expansion_create(&mechanism->graph, &equations, why) : NULL;
  if (expansion)
    fault = expand(expansion, mechanism, t, q, v, local, at, why);
  else if (fault == MECHANISM_GOOD)
    fault = *why ? MECHANISM_NO_SERIES : MECHANISM_NO_MEMORY;
  expansion_destroy(expansion);
  free(nodes);
  return fault;
}
