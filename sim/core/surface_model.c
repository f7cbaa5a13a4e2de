/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/surface_model.h"

#include "sim/base/pieces.h"
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/joint/springs.h"
#include "sim/joint/viscous.h"
#include "sim/operator/massless.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the initial velocity v0 counts as equal to the surface's velocity w(0) up to this relative rounding error */
static const double ALIKE = 16 * DBL_EPSILON;

void surface_show(const SimModel *model, double t, const double *y, const double *speed, double *x, double *v) {
  const SimProblem *p = &model->problem;
  const double *row = curve_row(p->surface, p->surface_pieces, surface_row_size(p), t, false);
  double part = fmin((t - row[0]) / row[1], 1);
  CurvePoint at = {0};
  for (int i = 0; i < p->count; i++) {
    if (i == 0 || p->surface_columns > 1) at = curve_point(p->surface_columns, row, i, part);
    x[i] = y[i] + at.integral;
    v[i] = speed[i] + at.value;
  }
}

/* Adds factor times g(t) to f [count]. g is the force by which moving surfaces act in the equation for y = x - W
 * (surface_model.h). */
static void add_reaction(const Surface *s, double t, double factor, double *f) {
  const SimProblem *p = s->problem;
  size_t size = sim_curve_size(p->count);
  const double *row = curve_row(s->reaction, p->surface_pieces, size, t, false), *c = row + SIM_CURVE_HEAD;
  double part = fmin((t - row[0]) / row[1], 1);
  for (int i = 0; i < p->count; i++) f[i] += factor * curve_value((int)row[2], p->count, c, i, part);
}

/* Returns the memory for the three vectors (path, speed, force) of a time. which: 0 or 1, as those of two times can be
 * stored. */
static double *instant_room(const SimModel *model, const SimWorkspace *work, int which) {
  return work->surface + (size_t)(SURFACE_PATH + 3 * which) * (size_t)model->problem.count;
}

SurfaceInstant surface_kept(const SimModel *model, const SimWorkspace *work, int which) {
  if (!model->surface) return (SurfaceInstant){NULL, NULL, NULL};
  const double *path = instant_room(model, work, which);
  int count = model->problem.count;
  return (SurfaceInstant){path, path + count, path + 2 * count};
}

SurfaceInstant surface_instant(const SimModel *model, SimWorkspace *work, double t, int which) {
  size_t count = (size_t)model->problem.count;
  if (model->surface) {
    double *path = instant_room(model, work, which), *force = path + 2 * count;
    surface_at(&model->problem, t, path, path + count);
    memset(force, 0, count * sizeof *force);
    add_reaction(model->surface, t, 1, force);
  }
  return surface_kept(model, work, which);
}

/* Adds factor A c to sum [count]. A is a matrix, and c [columns] is one coefficient of a piece of the surfaces' motion.
 * room: [count] scratch. */
static void add_product(const SimProblem *p, const Operator *matrix, double factor, const double *c, double *room,
                        double *sum) {
  if (!matrix) return;
  for (int i = 0; i < p->count; i++) room[i] = factor * c[surface_column(p, i)];
  operator_add(matrix, room, sum);
}

/* Computes the pieces of the force g (surface_model.h) from those of the surfaces' velocities w. Coefficient k of g is
 * (k+1)/width M c_{k+1} + (D - b) c_k + width/k A c_{k-1}, where c_k are the coefficients of w in a piece of this
 * width. */
static void make_reaction(Surface *s, const Operator *const part[OPERATOR_PARTS], double *room) {
  const SimProblem *p = s->problem;
  size_t columns = (size_t)p->surface_columns, count = (size_t)p->count;
  for (long piece = 0; piece < p->surface_pieces; piece++) {
    const double *w = p->surface + (size_t)piece * surface_row_size(p), *c = surface_coefficients(p, w);
    double *row = s->reaction + (size_t)piece * sim_curve_size(p->count), *g = row + SIM_CURVE_HEAD, width = w[1];
    int order = (int)w[2];
    row[0] = w[0];
    row[1] = width;
    row[2] = order + 1;
    row[3] = w[3];
    add_product(p, part[OPERATOR_STIFFNESS], 1, w + SIM_CURVE_HEAD, room, g);
    for (int k = 0; k <= order; k++, c += columns, g += count) {
      if (k > 0) add_product(p, part[OPERATOR_MASS], k / width, c, room, g - count);
      add_product(p, part[OPERATOR_DAMPING], 1, c, room, g);
      for (int i = 0; i < p->count; i++) g[i] -= viscous_force(p, i, c[surface_column(p, i)]);
      add_product(p, part[OPERATOR_STIFFNESS], width / (k + 1), c, room, g + count);
    }
  }
}

/* Evaluates f - g at time t, for a force f that is given as a function. g is the force due to moving surfaces
 * (surface_model.h). */
static void moved_load(void *context, double t, double *f) {
  const Surface *s = context;
  if (s->load.at)
    s->load.at(s->load.context, s->load.constant ? 0 : t, f);
  else
    memset(f, 0, (size_t)s->problem->count * sizeof *f);
  add_reaction(s, t, -1, f);
}

/* Data for subtracting the force g due to moving surfaces from a force f that is given in pieces. */
typedef struct OldPieces {
  const Surface *surface;
  const double *rows;
  long n;
} OldPieces;

static void moved_pieces(void *context, double t, double *f) {
  const OldPieces *old = context;
  const SimProblem *p = old->surface->problem;
  size_t size = sim_piece_size(p->d);
  const double *row = curve_row(old->rows, old->n, size, t, true), *c = row + SIM_PIECE_HEAD;
  double end = row + size < old->rows + (size_t)old->n * size ? row[size] : p->end;
  double part = (t - row[0]) / (end - row[0]);
  for (int i = 0; i < p->d; i++) f[i] = curve_value((int)row[1], p->d, c, i, part);
  add_reaction(old->surface, t, -1, f);
}

/* Lists all times at which a piece of the force f or of the surfaces' velocity w begins, without the first. */
static int merge_breaks(const SimProblem *p, double *breaks) {
  long i = 1, j = 1;
  int n = 0;
  while (i < p->piece_count || j < p->surface_pieces) {
    double own = i < p->piece_count ? p->pieces[(size_t)i * sim_piece_size(p->d)] : INFINITY;
    double other = j < p->surface_pieces ? p->surface[(size_t)j * surface_row_size(p)] : INFINITY;
    breaks[n++] = fmin(own, other);
    i += own <= other;
    j += other <= own;
  }
  return n;
}

/* Raises terms [d] to the sum of the magnitudes of the coefficients, for each of n pieces. order: index of the piece's
 * order in its row; head: index of the first coefficient. */
static void raise_terms(int d, long n, const double *rows, size_t size, int order, int head, double *terms) {
  for (const double *row = rows; row < rows + (size_t)n * size; row += size)
    for (int i = 0; i < d; i++) {
      double sum = 0;
      for (int k = 0; k <= (int)row[order]; k++) sum += fabs(row[head + k * d + i]);
      terms[i] = fmax(terms[i], sum);
    }
}

/* Computes the pieces of f - g from the load f and from g, the force due to moving surfaces. As both may nearly cancel,
 * the rounding error of the difference is measured relative to both. */
static SimStatus move_pieces(SimProblem *p, const Surface *s) {
  OldPieces old = {s, p->pieces, p->piece_count};
  const SimLoad load = {.context = &old, .at = moved_pieces};
  double where, *rows = p->pieces,
                *breaks = calloc((size_t)(p->piece_count + p->surface_pieces + p->d), sizeof *breaks);
  if (!breaks) return SIM_NO_MEMORY;
  double *terms = breaks + p->piece_count + p->surface_pieces;
  raise_terms(p->d, p->piece_count, rows, sim_piece_size(p->d), 1, SIM_PIECE_HEAD, terms);
  raise_terms(p->d, p->surface_pieces, s->reaction, sim_curve_size(p->d), 2, SIM_CURVE_HEAD, terms);
  int n = merge_breaks(p, breaks);
  p->pieces = NULL;
  SimStatus status = pieces_over(p, &load, &(PiecesCentres){.terms = terms}, 0, p->end, n, breaks, &where);
  free(breaks);
  free(rows);
  return status;
}

/* Replaces a borrowed array by a copy. Returns SIM_OK or SIM_NO_MEMORY. */
static SimStatus own(double **array, double **copy, size_t n) {
  *copy = malloc((n + 1) * sizeof **copy);
  if (!*copy) return SIM_NO_MEMORY;
  memcpy(*copy, *array, n * sizeof **copy);
  *array = *copy;
  return SIM_OK;
}

static SimStatus own_arrays(SimProblem *p, Surface *s) {
  size_t count = (size_t)p->count;
  if (operator_array_size(p)) return SIM_OK;
  SimStatus status = own(&p->v0, &s->v0, count);
  if (status == SIM_OK && p->force) status = own(&p->force, &s->force, (size_t)sim_force_count(p) * count);
  return status;
}

/* Replaces the data of a problem in x by those in y = x - W: subtracts g from the force, and w(0) from v0. For dofs
 * without mass, v0 becomes 0, since their surface sets them in motion immediately. */
static SimStatus move_problem(SimProblem *p, Surface *s) {
  const double *row = p->surface;
  SimStatus status = own_arrays(p, s);
  if (status != SIM_OK) return status;
  for (int i = 0; i < p->count; i++) {
    double w = curve_point(p->surface_columns, row, surface_column(p, i), 0).value, size = fabs(p->v0[i]);
    for (int k = 0; k <= (int)row[2]; k++)
      size = fmax(size, fabs(surface_coefficients(p, row)[k * p->surface_columns + surface_column(p, i)]));
    p->v0[i] = massless_dof(p, i) || fabs(p->v0[i] - w) <= ALIKE * size ? 0 : p->v0[i] - w;
  }
  if (p->pieces) return move_pieces(p, s);
  for (long k = 0; p->force && k < sim_force_count(p); k++)
    add_reaction(s, sim_force_time(p, k), -1, p->force + k * p->count);
  if (p->force) return SIM_OK;
  s->load = p->load;
  p->load = (SimLoad){.context = s, .at = moved_load};
  return SIM_OK;
}

SimStatus surface_apply(SimModel *model) {
  SimProblem *p = &model->problem;
  Operator *part[OPERATOR_PARTS] = {NULL};
  size_t count = (size_t)p->count;
  Surface *s = model->surface = calloc(1, sizeof *s);
  double *room = calloc(count + 1, sizeof *room);
  if (s) {
    s->problem = p;
    s->reaction = calloc((size_t)p->surface_pieces * sim_curve_size(p->count), sizeof *s->reaction);
  }
  SimStatus status = sim_group_agree(p->group, s && s->reaction && room ? SIM_OK : SIM_NO_MEMORY);
  for (int k = 0; k < OPERATOR_PARTS && status == SIM_OK; k++)
    if (k == OPERATOR_MASS || (!p->scheme->splits && (k == OPERATOR_STIFFNESS || operator_damped(p))))
      status = operator_create(k == OPERATOR_STIFFNESS ? springs_alone(model->springs, p) : p,
                               operator_alone((OperatorPart)k), &part[k]);
  if (status == SIM_OK) {
    make_reaction(s, (const Operator *const *)part, room);
    status = sim_group_agree(p->group, move_problem(p, s));
  }
  for (int k = 0; k < OPERATOR_PARTS; k++) operator_destroy(part[k]);
  free(room);
  return status;
}

void surface_destroy(SimModel *model) {
  if (!model->surface) return;
  free(model->surface->reaction);
  free(model->surface->v0);
  free(model->surface->force);
  free(model->surface);
}
