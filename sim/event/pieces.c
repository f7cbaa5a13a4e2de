#include "sim/event/pieces.h"
#include "sim/base/argument.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = SIM_PIECE_ORDER + 1, HALVINGS = 40 };
enum { ENTRIES_MOST = 1 << 17 }; /* pieces of all d that halving may add: some seconds of expressions */
/* As parts of the largest force: what the last coefficients may be, and what is round-off of the others, which powers of time
 * would make larger. */
static const double ENOUGH = 32 * DBL_EPSILON, ROUND_OFF = 4 * DBL_EPSILON;
/* As a part of the largest force: what a piece may differ by where SimLoad.looks has it looked at between its nodes. */
static const double DIFFERENT = 1e-9;

typedef struct Builder {
  SimProblem *problem;
  const SimLoad *load;
  long room, most;                              /* pieces */
  double *row;                                  /* a piece under way */
  double *scale;                                /* [d] largest |f_i| seen */
  double *late;                                 /* [d] f at the piece's last node */
  double *noise;                                /* [d] what the round-off of t does to f in it, N */
  double *look;                                 /* [d] f between nodes */
  double time[NODES], polynomial[NODES][NODES]; /* cos of Chebyshev's nodes; T_k(2s - 1) in powers of s */
  double cosine[NODES][NODES];                  /* T_k at the nodes */
  double from, to;                              /* of it, s */
  double where;                                 /* f is not finite, s */
} Builder;

static void prepare(Builder *builder) {
  const double pi = acos(-1);
  for (int j = 0; j < NODES; j++) {
    builder->time[j] = (1 + cos(pi * (j + 0.5) / NODES)) / 2;
    for (int k = 0; k < NODES; k++) builder->cosine[k][j] = cos(pi * k * (j + 0.5) / NODES);
  }
  double(*t)[NODES] = builder->polynomial;
  memset(t, 0, sizeof builder->polynomial);
  t[0][0] = 1;
  t[1][0] = -1;
  t[1][1] = 2;
  for (int k = 2; k < NODES; k++)
    for (int j = 0; j <= k; j++) t[k][j] = (j ? 4 * t[k - 1][j - 1] : 0) - 2 * t[k - 1][j] - t[k - 2][j];
}

/* What the round-off of t does to f_i, N: where it swings fast and late, more than that of f. */
static double noise_of(const Builder *builder, int i, const double *values) {
  int d = builder->problem->d;
  double steepest = 0;
  for (int j = 1; j < NODES; j++)
    steepest =
        fmax(steepest, fabs(values[j * d + i] - values[(j - 1) * d + i]) / (builder->time[j - 1] - builder->time[j]));
  return 4 * DBL_EPSILON * builder->to * steepest / (builder->to - builder->from);
}

/* Chebyshev's coefficients a of values at the nodes, without those at the end that are round-off; returns whether the last two
 * are small enough. */
static bool transform(const Builder *builder, int i, const double *values, double *a) {
  int d = builder->problem->d;
  double scale = builder->scale[i], noise = builder->noise[i] = noise_of(builder, i, values);
  for (int k = 0; k < NODES; k++) {
    double sum = 0;
    for (int j = 0; j < NODES; j++) sum += values[j * d + i] * builder->cosine[k][j];
    a[k] = sum * (k ? 2.0 : 1.0) / NODES;
  }
  bool good = fabs(a[NODES - 1]) + fabs(a[NODES - 2]) <= ENOUGH * scale + noise;
  for (int k = NODES - 1; k >= 0 && fabs(a[k]) <= ROUND_OFF * scale + noise; k--) a[k] = 0;
  return good;
}

/* Values at the nodes, [NODES][d], become coefficients of powers. Returns whether all are small enough at their end. */
static bool fit(const Builder *builder, double *c) {
  int d = builder->problem->d;
  bool good = true;
  for (int i = 0; i < d; i++) {
    double a[NODES];
    good = transform(builder, i, c, a) && good;
    for (int j = 0; j < NODES; j++) {
      double sum = 0;
      for (int k = j; k < NODES; k++) sum += a[k] * builder->polynomial[k][j];
      c[j * d + i] = sum;
    }
  }
  return good;
}

static SimStatus append(Builder *builder, double start) {
  SimProblem *p = builder->problem;
  size_t size = sim_piece_size(p->d);
  double *row = builder->row;
  int order = SIM_PIECE_ORDER, zeros = 1;
  for (; order > 0 && zeros; order -= zeros)
    for (int i = 0; i < p->d; i++) zeros = zeros && row[2 + order * p->d + i] == 0;
  row[0] = start;
  row[1] = order;
  if (p->piece_count == builder->room) {
    long room = builder->room ? 2 * builder->room : 8;
    double *rows = realloc(p->pieces, (size_t)room * size * sizeof *rows);
    if (!rows) return SIM_NO_MEMORY;
    p->pieces = rows;
    builder->room = room;
  }
  memcpy(p->pieces + (size_t)p->piece_count++ * size, row, size * sizeof *row);
  return SIM_OK;
}

/* Whether the piece, good at its nodes, is so between them. SIM_OK, SIM_NOT_CONVERGED: it is not, SIM_NON_FINITE. */
static SimStatus look_between(Builder *builder, const double *c) {
  int d = builder->problem->d;
  if (builder->load->looks == 0) return SIM_OK;
  double apart = builder->problem->end / (double)builder->load->looks, width = builder->to - builder->from;
  for (double k = floor(builder->from / apart); (k + 0.5) * apart < builder->to; k++) {
    double t = (k + 0.5) * apart, part = (t - builder->from) / width;
    if (!(part > 0)) continue;
    builder->where = t;
    builder->load->at(builder->load->context, t, builder->look);
    for (int i = 0; i < d; i++) {
      double f = builder->look[i], sum = 0;
      if (!isfinite(f)) return SIM_NON_FINITE;
      for (int q = NODES - 1; q >= 0; q--) sum = sum * part + c[q * d + i];
      builder->scale[i] = fmax(builder->scale[i], fabs(f));
      if (fabs(f - sum) > DIFFERENT * builder->scale[i] + 16 * builder->noise[i]) return SIM_NOT_CONVERGED;
    }
  }
  return SIM_OK;
}

static SimStatus build(Builder *builder, double from, double to, int halvings) {
  int d = builder->problem->d;
  double *values = builder->row + 2;
  builder->from = from;
  builder->to = to;
  for (int j = 0; j < NODES; j++) {
    double t = from + (to - from) * builder->time[j];
    builder->load->at(builder->load->context, t, values + j * d);
    for (int i = 0; i < d; i++) {
      double size = fabs(values[j * d + i]);
      builder->where = t;
      if (!isfinite(size)) return SIM_NON_FINITE;
      builder->scale[i] = fmax(builder->scale[i], size);
    }
  }
  memcpy(builder->late, values, (size_t)d * sizeof *values);
  SimStatus looked = fit(builder, values) ? look_between(builder, values) : SIM_NOT_CONVERGED;
  if (looked == SIM_NON_FINITE) return looked;
  if (looked == SIM_OK) return append(builder, from);
  if (builder->problem->piece_count > builder->most) return SIM_NOT_CONVERGED;
  if (halvings == 0) { /* a jump: what stands after it */
    memset(values, 0, (size_t)(NODES * d) * sizeof *values);
    memcpy(values, builder->late, (size_t)d * sizeof *values);
    return append(builder, from);
  }
  double middle = (from + to) / 2;
  SimStatus status = build(builder, from, middle, halvings - 1);
  return status == SIM_OK ? build(builder, middle, to, halvings - 1) : status;
}

/* The ends of time are no nodes. */
static SimStatus finite_at_ends(Builder *builder) {
  for (int k = 0; k < 2; k++) {
    builder->where = k ? builder->problem->end : 0;
    builder->load->at(builder->load->context, builder->where, builder->late);
    for (int i = 0; i < builder->problem->d; i++)
      if (!isfinite(builder->late[i])) return SIM_NON_FINITE;
  }
  return SIM_OK;
}

static void no_force(void *context, double t, double *f) {
  const SimProblem *p = context;
  (void)t;
  for (int i = 0; i < p->d; i++) f[i] = 0;
}

static void drop_pieces(SimProblem *p) {
  free(p->pieces);
  p->pieces = NULL;
  p->piece_count = 0;
}

SimStatus sim_problem_set_pieces(SimProblem *p, const SimLoad *load, int n, const double *breaks, double *where) {
  ARGUMENT(p && p->d >= 1 && p->end > 0, "problem", "is NULL, or has no end above 0");
  ARGUMENT_THERE(load);
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  const SimLoad none = {.context = p, .at = no_force};
  Builder builder = {.problem = p, .load = load->at ? load : &none, .most = n + ENTRIES_MOST / p->d};
  drop_pieces(p);
  builder.row = calloc(sim_piece_size(p->d) + 4 * (size_t)p->d, sizeof *builder.row);
  if (!builder.row) return SIM_NO_MEMORY;
  builder.scale = builder.row + sim_piece_size(p->d);
  builder.late = builder.scale + p->d;
  builder.noise = builder.late + p->d;
  builder.look = builder.noise + p->d;
  prepare(&builder);
  SimStatus status = finite_at_ends(&builder);
  for (int k = 0; k <= n && status == SIM_OK; k++)
    status = build(&builder, k ? breaks[k - 1] : 0, k < n ? breaks[k] : p->end, HALVINGS);
  free(builder.row);
  *where = builder.where;
  if (status != SIM_OK) drop_pieces(p);
  return status;
}
