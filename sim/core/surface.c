#include "sim/core/surface.h"

#include "sim/core/model.h"
#include "sim/core/piece_row.h"
#include "sim/core/scheme.h"
#include "sim/operator/operator.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the speeds: by no more w differs from one piece to the next where it does not jump. */
static const double JUMP = 1e-9;
/* v0 is w(0) but for so much round-off. */
static const double ALIKE = 16 * DBL_EPSILON;

static size_t row_size(const SimProblem *p) { return sim_surface_size(p->surface_columns); }
static int column_of(const SimProblem *p, int i) { return p->surface_columns == 1 ? 0 : i; }
static const double *coefficients(const SimProblem *p, const double *row) {
  return row + SIM_SURFACE_HEAD + p->surface_columns;
}

const double *surface_piece(const SimProblem *p, double t) {
  return piece_row_before(p->surface, p->surface_pieces, row_size(p), t, true);
}

/* W and w of one column where `part` of a piece has passed; *rate: w', m/s^2. */
static void along(const SimProblem *p, const double *row, int column, double part, double *path, double *speed,
                  double *rate) {
  const double *c = coefficients(p, row) + column;
  double mean = 0, sum = 0, slope = 0;
  for (int k = (int)row[2]; k >= 0; k--) {
    double next = c[k * p->surface_columns];
    mean = mean * part + next / (k + 1);
    sum = sum * part + next;
    slope = k ? slope * part + k * next : slope;
  }
  *path = row[SIM_SURFACE_HEAD + column] + part * row[1] * mean;
  *speed = sum;
  *rate = slope / row[1];
}

void surface_at(const SimProblem *p, double t, double *path, double *speed) {
  const double *row = piece_row_before(p->surface, p->surface_pieces, row_size(p), t, false);
  double end = row[0] + row[1], beyond = fmax(t - end, 0), rate;
  double part = t < end ? (t - row[0]) / row[1] : 1;
  for (int i = 0; i < p->count; i++) {
    double way, w;
    if (i && p->surface_columns == 1) {
      if (path) path[i] = path[0];
      if (speed) speed[i] = speed[0];
      continue;
    }
    along(p, row, i, part, &way, &w, &rate);
    if (path) path[i] = way + beyond * (w + beyond / 2 * rate);
    if (speed) speed[i] = w + beyond * rate;
  }
}

double surface_time(const SimProblem *p, long n) { return n == p->steps ? p->end : (double)n * p->step; }

void surface_show(const SimModel *model, double t, const double *y, const double *speed, double *x, double *v) {
  const SimProblem *p = &model->problem;
  const double *row = piece_row_before(p->surface, p->surface_pieces, row_size(p), t, false);
  double part = fmin((t - row[0]) / row[1], 1), way = 0, w = 0, rate;
  for (int i = 0; i < p->count; i++) {
    if (i == 0 || p->surface_columns > 1) along(p, row, i, part, &way, &w, &rate);
    x[i] = y[i] + way;
    v[i] = speed[i] + w;
  }
}

/* factor g(t) is added to f [count]. */
static void add_reaction(const Surface *s, double t, double factor, double *f) {
  const SimProblem *p = s->problem;
  size_t size = sim_surface_size(p->count);
  const double *row = piece_row_before(s->reaction, p->surface_pieces, size, t, false), *c = row + SIM_SURFACE_HEAD;
  double part = fmin((t - row[0]) / row[1], 1);
  for (int i = 0; i < p->count; i++) {
    double sum = 0;
    for (int k = (int)row[2]; k >= 0; k--) sum = sum * part + c[k * p->count + i];
    f[i] += factor * sum;
  }
}

/* Its vectors stand one behind the other. */
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

/* Adds factor A c of one piece's coefficient c, [columns], to sum [count]; room [count]. */
static void add_product(const SimProblem *p, const Operator *matrix, double factor, const double *c, double *room,
                        double *sum) {
  if (!matrix) return;
  for (int i = 0; i < p->count; i++) room[i] = factor * c[column_of(p, i)];
  operator_add(matrix, room, sum);
}

/* The pieces of g, of those of w: its coefficients are (k+1)/width M c_{k+1} + D c_k + width/k A c_{k-1}. */
static void make_reaction(Surface *s, const Operator *const part[OPERATOR_PARTS], double *room) {
  const SimProblem *p = s->problem;
  size_t columns = (size_t)p->surface_columns, count = (size_t)p->count;
  for (long piece = 0; piece < p->surface_pieces; piece++) {
    const double *w = p->surface + (size_t)piece * row_size(p), *c = coefficients(p, w);
    double *row = s->reaction + (size_t)piece * sim_surface_size(p->count), *g = row + SIM_SURFACE_HEAD, width = w[1];
    int order = (int)w[2];
    row[0] = w[0];
    row[1] = width;
    row[2] = order + 1;
    add_product(p, part[OPERATOR_STIFFNESS], 1, w + SIM_SURFACE_HEAD, room, g);
    for (int k = 0; k <= order; k++, c += columns, g += count) {
      if (k > 0) add_product(p, part[OPERATOR_MASS], k / width, c, room, g - count);
      add_product(p, part[OPERATOR_DAMPING], 1, c, room, g);
      add_product(p, part[OPERATOR_STIFFNESS], width / (k + 1), c, room, g + count);
    }
  }
}

/* f - g where f is asked for. */
static void moved_load(void *context, double t, double *f) {
  const Surface *s = context;
  if (s->load.at)
    s->load.at(s->load.context, s->load.constant ? 0 : t, f);
  else
    memset(f, 0, (size_t)s->problem->count * sizeof *f);
  add_reaction(s, t, -1, f);
}

/* A force in pieces, of which g is to be taken. */
typedef struct OldPieces {
  const Surface *surface;
  const double *rows;
  long n;
} OldPieces;

static void moved_pieces(void *context, double t, double *f) {
  const OldPieces *old = context;
  const SimProblem *p = old->surface->problem;
  size_t size = sim_piece_size(p->d);
  const double *row = piece_row_before(old->rows, old->n, size, t, true), *c = row + SIM_PIECE_HEAD;
  double end = row + size < old->rows + (size_t)old->n * size ? row[size] : p->end;
  double part = (t - row[0]) / (end - row[0]);
  for (int i = 0; i < p->d; i++) {
    f[i] = 0;
    for (int k = (int)row[1]; k >= 0; k--) f[i] = f[i] * part + c[k * p->d + i];
  }
  add_reaction(old->surface, t, -1, f);
}

/* Where pieces of f or of w begin, after the first. */
static int merge_breaks(const SimProblem *p, double *breaks) {
  long i = 1, j = 1;
  int n = 0;
  while (i < p->piece_count || j < p->surface_pieces) {
    double own = i < p->piece_count ? p->pieces[(size_t)i * sim_piece_size(p->d)] : INFINITY;
    double other = j < p->surface_pieces ? p->surface[(size_t)j * row_size(p)] : INFINITY;
    breaks[n++] = fmin(own, other);
    i += own <= other;
    j += other <= own;
  }
  return n;
}

static SimStatus move_pieces(SimProblem *p, const Surface *s) {
  OldPieces old = {s, p->pieces, p->piece_count};
  const SimLoad load = {.context = &old, .at = moved_pieces};
  double where, *rows = p->pieces, *breaks = calloc((size_t)(p->piece_count + p->surface_pieces), sizeof *breaks);
  if (!breaks) return SIM_NO_MEMORY;
  int n = merge_breaks(p, breaks);
  p->pieces = NULL;
  SimStatus status = sim_problem_set_pieces(p, &load, n, breaks, &where);
  free(breaks);
  free(rows);
  return status;
}

/* In place of a borrowed array a copy. SIM_NO_MEMORY: none. */
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

/* The force less g, and v0 less w(0). */
static SimStatus move_problem(SimProblem *p, Surface *s) {
  const double *row = p->surface;
  SimStatus status = own_arrays(p, s);
  if (status != SIM_OK) return status;
  for (int i = 0; i < p->count; i++) {
    double way, w, rate, size = fabs(p->v0[i]);
    along(p, row, column_of(p, i), 0, &way, &w, &rate);
    for (int k = 0; k <= (int)row[2]; k++)
      size = fmax(size, fabs(coefficients(p, row)[k * p->surface_columns + column_of(p, i)]));
    p->v0[i] = fabs(p->v0[i] - w) <= ALIKE * size ? 0 : p->v0[i] - w;
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
    s->reaction = calloc((size_t)p->surface_pieces * sim_surface_size(p->count), sizeof *s->reaction);
  }
  SimStatus status = sim_group_agree(p->group, s && s->reaction && room ? SIM_OK : SIM_NO_MEMORY);
  for (int k = 0; k < OPERATOR_PARTS && status == SIM_OK; k++)
    if (k == OPERATOR_MASS || (!p->scheme->splits && (k == OPERATOR_STIFFNESS || operator_damped(p))))
      status = operator_create(p, operator_alone((OperatorPart)k), &part[k]);
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

/* Whether a column of w goes on without a jump where its pieces begin; else *where. About a kink pieces are as narrow as can be, and
 * constant: there w may be off by its slope. */
static bool continuous(const SimProblem *p, int column, double *where) {
  double size = 0, steepest = 0, way, end, start, rate;
  for (long piece = 0; piece < p->surface_pieces; piece++) {
    const double *row = p->surface + (size_t)piece * row_size(p);
    for (int k = 0; k < 2; k++) {
      along(p, row, column, k, &way, &end, &rate);
      size = fmax(size, fabs(end));
      steepest = fmax(steepest, fabs(rate));
    }
  }
  for (long piece = 1; piece < p->surface_pieces; piece++) {
    const double *after = p->surface + (size_t)piece * row_size(p), *before = after - row_size(p);
    along(p, before, column, 1, &way, &end, &rate);
    along(p, after, column, 0, &way, &start, &rate);
    *where = after[0];
    if (fabs(start - end) > JUMP * size + 2 * steepest * fmin(before[1], after[1])) return false;
  }
  return true;
}

/* Of pieces of w as they are made of a force: rows that know the way that has been gone. A constant is as it is told, by the
 * bit. */
static SimStatus take_rows(SimProblem *p, const SimProblem *made, const SimLoad *velocity, double *where) {
  size_t columns = (size_t)made->d, from = sim_piece_size(made->d), to = sim_surface_size(made->d);
  p->surface = calloc((size_t)made->piece_count * to, sizeof *p->surface);
  if (!p->surface) return SIM_NO_MEMORY;
  p->surface_pieces = made->piece_count;
  p->surface_columns = made->d;
  for (long piece = 0; piece < made->piece_count; piece++) {
    const double *old = made->pieces + (size_t)piece * from;
    double *row = p->surface + (size_t)piece * to, *path = row + SIM_SURFACE_HEAD, speed, rate;
    row[0] = old[0];
    row[1] = (piece + 1 < made->piece_count ? old[from] : p->end) - old[0];
    row[2] = old[1];
    memcpy(path + columns, old + SIM_PIECE_HEAD, (SIM_PIECE_ORDER + 1) * columns * sizeof *row);
    if (velocity->constant) velocity->at(velocity->context, 0, path + columns);
    for (int i = 0; piece && i < made->d; i++) along(p, row - to, i, 1, &path[i], &speed, &rate);
  }
  for (int i = 0; i < made->d; i++)
    if (!continuous(p, i, where)) return SIM_BAD_PROBLEM;
  return SIM_OK;
}

static void drop_surface(SimProblem *p) {
  free(p->surface);
  p->surface = NULL;
  p->surface_pieces = p->surface_columns = 0;
}

static bool moves(const SimProblem *p) {
  for (long piece = 0; piece < p->surface_pieces; piece++) {
    const double *c = coefficients(p, p->surface + (size_t)piece * row_size(p));
    for (long k = 0; k < (SIM_PIECE_ORDER + 1) * (long)p->surface_columns; k++)
      if (c[k] != 0) return true;
  }
  return false;
}

SimStatus sim_problem_set_surface(SimProblem *p, int columns, const SimLoad *velocity, int n, const double *breaks,
                                  double *where) {
  SimProblem made = {.d = columns, .count = columns, .end = p->end};
  drop_surface(p);
  SimStatus status = sim_problem_set_pieces(&made, velocity, velocity->constant ? 0 : n, breaks, where);
  if (status == SIM_OK) status = take_rows(p, &made, velocity, where);
  free(made.pieces);
  if (status != SIM_OK || !moves(p)) drop_surface(p);
  return status;
}
