#include "sim/core/pieces.h"

#include "sim/base/argument.h"
#include "sim/core/curve.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = SIM_PIECE_ORDER + 1 };
enum { ENTRIES_MOST = 1 << 17 }; /* pieces of all d that halving may add: some seconds of expressions */
/* As parts of the largest force: what the last coefficients may be, and what is round-off of the others, which powers of time
 * would make larger. */
static const double ENOUGH = 32 * DBL_EPSILON, ROUND_OFF = 4 * DBL_EPSILON;
/* As a part of the largest force: what a piece may differ by where SimLoad.looks has it looked at between its nodes. */
static const double DIFFERENT = 1e-9;
/* Near 0: how exact, as a part of f and of t f'; where it is looked at, each time at so much of the last; what counts as no coefficient, as a
 * part of the terms it is the sum of; and how far beside each other values show their round-off. */
static const double NEAR = 1e-12, RUNG = 0.25, LEAST = 1e-12, BESIDE = 1e-9;
enum { LADDER = 16, LOOKS = 4 };

typedef struct Builder {
  SimProblem *problem;
  const SimLoad *load;
  long room, most;     /* pieces */
  double *row;         /* a piece under way */
  bool near;           /* as exact near 0 as f is small there */
  double lower, upper; /* the ends of all, s */
  double *scale;       /* [d] largest |f_i| seen; near: in the piece and on the way from 0 to it */
  double *inner;       /* [d] near: largest |f_i| on the way from 0 to the piece */
  double *late;        /* [d] f at the piece's last node */
  double *noise;       /* [d] what the round-off of t does to f in it, N */
  double *look;        /* [LOOKS][d] f between nodes */
  double time[NODES],
      polynomial[NODES][NODES]; /* cos of Chebyshev's nodes; T_k in powers of (t - origin)/(to - from) */
  double cosine[NODES][NODES];  /* T_k at the nodes */
  double from, to, origin;      /* of it, s */
  double where;                 /* f is not finite, s */
} Builder;

static void prepare(Builder *builder) {
  const double pi = acos(-1);
  for (int j = 0; j < NODES; j++) {
    builder->time[j] = (1 + cos(pi * (j + 0.5) / NODES)) / 2;
    for (int k = 0; k < NODES; k++) builder->cosine[k][j] = cos(pi * k * (j + 0.5) / NODES);
  }
}

/* Powers are of the way from the origin, the place of the piece that is nearest to 0: T_k(2 q + shift) by those of q. */
static void begin_piece(Builder *builder, double from, double to) {
  double(*t)[NODES] = builder->polynomial;
  builder->from = from;
  builder->to = to;
  builder->origin = fmin(fmax(0, from), to);
  double shift = 2 * ((builder->origin - from) / (to - from)) - 1;
  memset(t, 0, sizeof builder->polynomial);
  t[0][0] = 1;
  t[1][0] = shift;
  t[1][1] = 2;
  for (int k = 2; k < NODES; k++)
    for (int j = 0; j <= k; j++) t[k][j] = (j ? 4 * t[k - 1][j - 1] : 0) + 2 * shift * t[k - 1][j] - t[k - 2][j];
}

static double part_of(const Builder *builder, double t) {
  return (t - builder->origin) / (builder->to - builder->from);
}

/* What the round-off of t does to f_i, N: where it swings fast and late, more than that of f. */
static double noise_of(const Builder *builder, int i, const double *values) {
  int d = builder->problem->d;
  double steepest = 0;
  for (int j = 1; j < NODES; j++)
    steepest =
        fmax(steepest, fabs(values[j * d + i] - values[(j - 1) * d + i]) / (builder->time[j - 1] - builder->time[j]));
  return 4 * DBL_EPSILON * fmax(fabs(builder->from), builder->to) * steepest / (builder->to - builder->from);
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

/* Near 0 the least power decides: those that are round-off beside what they are sums of become 0 if the values at the nodes need none of
 * them. So x^3 stays x^3. */
static void leave_round_off(const Builder *builder, int i, const double *values, const double *size, double *c) {
  double simple[NODES];
  int d = builder->problem->d;
  for (int j = 0; j < NODES; j++) simple[j] = fabs(c[j]) <= LEAST * size[j] ? 0 : c[j];
  for (int j = 0; j < NODES; j++) {
    double part = part_of(builder, builder->from + (builder->to - builder->from) * builder->time[j]);
    double far = fabs(curve_value(NODES - 1, 1, simple, 0, part) - values[j * d + i]);
    if (far > ENOUGH * builder->scale[i] + builder->noise[i]) return;
  }
  memcpy(c, simple, sizeof simple);
}

/* Values at the nodes, [NODES][d], become coefficients of powers. Returns whether all are small enough at their end. */
static bool fit(const Builder *builder, double *values) {
  int d = builder->problem->d;
  bool good = true;
  for (int i = 0; i < d; i++) {
    double a[NODES], c[NODES], size[NODES];
    good = transform(builder, i, values, a) && good;
    for (int j = 0; j < NODES; j++) {
      c[j] = size[j] = 0;
      for (int k = j; k < NODES; k++) {
        c[j] += a[k] * builder->polynomial[k][j];
        size[j] += fabs(a[k] * builder->polynomial[k][j]);
      }
    }
    if (builder->near) leave_round_off(builder, i, values, size, c);
    for (int j = 0; j < NODES; j++) values[j * d + i] = c[j];
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
  double apart = (builder->upper - builder->lower) / (double)builder->load->looks;
  for (double k = floor((builder->from - builder->lower) / apart);; k++) {
    double t = builder->lower + (k + 0.5) * apart, part = part_of(builder, t);
    if (t >= builder->to) break;
    if (!(t > builder->from)) continue;
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

/* f where t = 0 lies in the piece, and the largest f on the way from 0 to it. */
static SimStatus look_inwards(Builder *builder) {
  int d = builder->problem->d;
  memset(builder->inner, 0, (size_t)d * sizeof *builder->inner);
  for (int k = 0; builder->origin != 0 && k <= LADDER; k++) {
    builder->where = builder->origin * pow(RUNG, k);
    builder->load->at(builder->load->context, builder->where, builder->look);
    for (int i = 0; i < d; i++) {
      if (!isfinite(builder->look[i])) return SIM_NON_FINITE;
      builder->inner[i] = fmax(builder->inner[i], fabs(builder->look[i]));
    }
  }
  memcpy(builder->scale, builder->inner, (size_t)d * sizeof *builder->scale);
  return SIM_OK;
}

/* Whether the piece is at t, near 0, as exact as f is small, or as f itself: noise [d] is the round-off by |t| of a law that is a difference
 * of larger terms, raised by what four values beside each other show. */
static bool exact_at(Builder *builder, const double *c, double t, double beside, double *noise) {
  int d = builder->problem->d;
  double part = part_of(builder, t), width = builder->to - builder->from, *f = builder->look;
  for (int q = 0; q < LOOKS; q++) builder->load->at(builder->load->context, t + q * beside, f + q * d);
  for (int i = 0; i < d; i++) {
    double sum = 0, slope = 0;
    for (int k = NODES - 1; k >= 0; k--) {
      slope = slope * part + sum;
      sum = sum * part + c[k * d + i];
    }
    double own = fabs(f[i]) + fabs(t / width * slope);
    double bends = fabs(f[i] - 2 * f[d + i] + f[2 * d + i]) + fabs(f[d + i] - 2 * f[2 * d + i] + f[3 * d + i]);
    noise[i] = fmax(noise[i], (bends - 16 * DBL_EPSILON * own) / fabs(t));
    double room = NEAR * own + 2 * ENOUGH * builder->inner[i];
    if (fabs(sum - f[i]) > room + 16 * noise[i] * fabs(t)) return false;
  }
  return true;
}

/* A piece that has 0 has f(0) itself. Returns whether it is exact from its ends inwards. */
static bool exact_near(Builder *builder, double *c) {
  int d = builder->problem->d;
  double ends[] = {builder->from, builder->to};
  if (builder->origin == 0) builder->load->at(builder->load->context, 0, c);
  for (int q = 0; q < 2; q++) {
    double *noise = builder->look + LOOKS * d;
    memset(noise, 0, (size_t)d * sizeof *noise);
    for (int k = 0; ends[q] != 0 && k <= LADDER; k++) {
      double t = ends[q] * pow(RUNG, k);
      if (t < builder->from || t > builder->to) break;
      if (!exact_at(builder, c, t, (q ? -BESIDE : BESIDE) * fabs(t), noise)) return false;
    }
  }
  return true;
}

static SimStatus build(Builder *builder, double from, double to, int halvings) {
  int d = builder->problem->d;
  double *values = builder->row + 2;
  begin_piece(builder, from, to);
  SimStatus seen = builder->near ? look_inwards(builder) : SIM_OK;
  if (seen != SIM_OK) return seen;
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
  bool exact = looked == SIM_OK && (!builder->near || exact_near(builder, values) || halvings == 0);
  if (exact) return append(builder, from);
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

/* The ends are no nodes. */
static SimStatus finite_at_ends(Builder *builder) {
  for (int k = 0; k < 2; k++) {
    builder->where = k ? builder->upper : builder->lower;
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

SimStatus pieces_over(SimProblem *p, const SimLoad *load, bool near, double lower, double upper, int n,
                      const double *breaks, double *where) {
  const SimLoad none = {.context = p, .at = no_force};
  Builder builder = {.problem = p, .load = load->at ? load : &none, .near = near, .lower = lower, .upper = upper};
  size_t d = (size_t)p->d;
  builder.most = n + ENTRIES_MOST / p->d;
  drop_pieces(p);
  builder.row = calloc(sim_piece_size(p->d) + (5 + LOOKS) * d, sizeof *builder.row);
  if (!builder.row) return SIM_NO_MEMORY;
  builder.scale = builder.row + sim_piece_size(p->d);
  builder.inner = builder.scale + d;
  builder.late = builder.inner + d;
  builder.noise = builder.late + d;
  builder.look = builder.noise + d;
  prepare(&builder);
  SimStatus status = finite_at_ends(&builder);
  for (int k = 0; k <= n && status == SIM_OK; k++)
    status = build(&builder, k ? breaks[k - 1] : lower, k < n ? breaks[k] : upper, PIECE_HALVINGS);
  free(builder.row);
  *where = builder.where;
  if (status != SIM_OK) drop_pieces(p);
  return status;
}

SimStatus sim_problem_set_pieces(SimProblem *p, const SimLoad *load, int n, const double *breaks, double *where) {
  ARGUMENT(p && p->d >= 1 && p->end > 0, "problem", "is NULL, or has no end above 0");
  ARGUMENT_THERE(load);
  ARGUMENT(n >= 0 && (n == 0 || breaks), "breaks", "are NULL, or less than none");
  ARGUMENT_THERE(where);
  return pieces_over(p, load, false, 0, p->end, n, breaks, where);
}
