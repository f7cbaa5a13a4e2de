/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/surface.h"
#include "sim/base/argument.h"
#include "sim/base/polynomial.h"
#include "sim/joint/laws.h"

#include <math.h>
#include <stdlib.h>

const double *surface_piece(const SimProblem *p, double t) {
  return curve_row(p->surface, p->surface_pieces, surface_row_size(p), t, true);
}

void surface_at(const SimProblem *p, double t, double *path, double *speed) {
  const double *row = curve_row(p->surface, p->surface_pieces, surface_row_size(p), t, false);
  double end = row[0] + row[1], beyond = fmax(t - end, 0);
  double part = t < end ? (t - row[0]) / row[1] : 1;
  for (int i = 0; i < p->count; i++) {
    if (i && p->surface_columns == 1) {
      if (path) path[i] = path[0];
      if (speed) speed[i] = speed[0];
      continue;
    }
    const CurvePoint at = curve_point(p->surface_columns, row, i, part);
    if (path) path[i] = at.integral + beyond * (at.value + beyond / 2 * at.slope);
    if (speed) speed[i] = at.value + beyond * at.slope;
  }
}

int surface_series(const SimProblem *p, double t, double width, double *speed, double *path) {
  const double *row = surface_piece(p, t), *c = surface_coefficients(p, row);
  int order = (int)row[2], count = p->count;
  for (int k = 0; k <= order; k++)
    for (int i = 0; i < count; i++) speed[k * count + i] = c[k * p->surface_columns + surface_column(p, i)];
  polynomial_part(order, count, speed, (t - row[0]) / row[1], width / row[1]);
  surface_at(p, t, path, NULL);
  for (int k = 0; k <= order; k++)
    for (int i = 0; i < count; i++) path[(k + 1) * count + i] = width / (k + 1) * speed[k * count + i];
  return order;
}

static void drop_surface(SimProblem *p) {
  free(p->surface);
  p->surface = NULL;
  p->surface_pieces = p->surface_columns = 0;
}

static bool moves(const SimProblem *p) {
  for (long piece = 0; piece < p->surface_pieces; piece++) {
    const double *c = surface_coefficients(p, p->surface + (size_t)piece * surface_row_size(p));
    for (long k = 0; k < (SIM_PIECE_ORDER + 1) * (long)p->surface_columns; k++)
      if (c[k] != 0) return true;
  }
  return false;
}

SimStatus stiction_problem_set_surface(SimProblem *p, int columns, const SimLoad *velocity, int n, const double *breaks,
                                       double *where) {
  ARGUMENT(p && p->kind == SIM_FRICTION && p->scheme, "problem", "is NULL, or not one of SIM_FRICTION");
  ARGUMENT(columns >= 1, "columns", "is below 1");
  ARGUMENT(velocity && velocity->at, "velocity", "is NULL, or no function");
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  ARGUMENT(p->end > 0, "problem->end", "is not above 0");
  drop_surface(p);
  SimStatus status =
      curve_make(columns, velocity, &(PiecesCentres){0}, 0, p->end, n, breaks, &p->surface, &p->surface_pieces, where);
  p->surface_columns = columns;
  if (status != SIM_OK || !moves(p)) drop_surface(p);
  return status;
}

static SimFeatures features(const SimProblem *p) { return p->surface_pieces > 0 ? SIM_HAS(SURFACE) : 0; }

static void check(Check *check) {
  const SimProblem *p = check->problem;
  if (p->surface_pieces && p->surface_columns != 1 && (p->surface_columns != p->d || p->system.storage == SIM_SPARSE))
    check_complain(check, "model.surface_velocity",
                   "of %d degrees of freedom (expected one for all, or dense ones each)", p->surface_columns);
}

static size_t surfaces(const SimProblem *p) { return (size_t)p->surface_pieces * sim_curve_size(p->surface_columns); }

static const ProblemArray arrays[] = {{PROBLEM_ARRAY(surface, surfaces)}, {0}};

const JointLaw joint_law_surface = {.features = features, .arrays = arrays, .check = check};
