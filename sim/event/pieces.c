#include "sim/event/pieces.h"

#include "sim/event/polynomial.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = PIECE_ORDER + 1, HALVINGS = 40 };
/* As parts of the largest force: what the last coefficients may be, and what is round-off of the others, which powers of time
 * would make larger. */
static const double ENOUGH = 32 * DBL_EPSILON, ROUND_OFF = 4 * DBL_EPSILON;

typedef struct Builder {
  ForceFunction *force;
  void *context;
  ForcePieces *pieces;
  int room;
  double *values; /* [NODES][d] */
  double *scale;  /* [d] largest |f_i| seen */
  double end;
} Builder;

/* Beyond which order all coefficients are round-off. */
static int order_of(const Builder *builder, const double *c) {
  int d = builder->pieces->d;
  for (int k = PIECE_ORDER; k > 0; k--)
    for (int i = 0; i < d; i++)
      if (c[k * d + i] != 0) return k;
  return 0;
}

static SimStatus append(Builder *builder, double from, const double *c) {
  ForcePieces *to = builder->pieces;
  size_t size = (size_t)NODES * (size_t)to->d;
  if (to->count == builder->room) {
    int room = builder->room ? 2 * builder->room : 8;
    double *start = realloc(to->start, ((size_t)room + 1) * sizeof *start);
    if (start) to->start = start;
    double *rows = realloc(to->c, (size_t)room * size * sizeof *rows);
    if (rows) to->c = rows;
    int *order = realloc(to->order, (size_t)room * sizeof *order);
    if (order) to->order = order;
    if (!start || !rows || !order) return SIM_NO_MEMORY;
    builder->room = room;
  }
  to->start[to->count] = from;
  to->order[to->count] = order_of(builder, c);
  memcpy(to->c + (size_t)to->count++ * size, c, size * sizeof *c);
  return SIM_OK;
}

/* Chebyshev's coefficients of the values at cos(pi (j + 1/2)/NODES), in place, without
 * those at the end that are round-off; returns whether the last two are small enough. */
static bool transform(int d, double *values, const double *scale) {
  double a[NODES];
  bool good = true;
  const double pi = acos(-1);
  for (int i = 0; i < d; i++) {
    for (int k = 0; k < NODES; k++) {
      double sum = 0;
      for (int j = 0; j < NODES; j++) sum += values[j * d + i] * cos(pi * k * (j + 0.5) / NODES);
      a[k] = sum * (k ? 2.0 : 1.0) / NODES;
    }
    good = good && fabs(a[NODES - 1]) + fabs(a[NODES - 2]) <= ENOUGH * scale[i];
    for (int k = NODES - 1, quiet = 1; k >= 0; k--) {
      quiet = quiet && fabs(a[k]) <= ROUND_OFF * scale[i];
      values[k * d + i] = quiet ? 0 : a[k];
    }
  }
  return good;
}

/* sum a_k T_k(2s - 1) as powers of s, in place. */
static void to_powers(int d, double *a) {
  for (int i = 0; i < d; i++) {
    double before[NODES] = {1}, now[NODES] = {-1, 2}, sum[NODES] = {0}; /* T_0, T_1 of 2s - 1 */
    for (int k = 0; k < NODES; k++) {
      for (int j = 0; j <= k; j++) sum[j] += a[k * d + i] * before[j];
      double next[NODES] = {0};
      for (int j = 0; j < NODES; j++) next[j] = (j ? 4 * now[j - 1] : 0) - 2 * now[j] - before[j];
      memcpy(before, now, sizeof now);
      memcpy(now, next, sizeof next);
    }
    for (int k = 0; k < NODES; k++) a[k * d + i] = sum[k];
  }
}

static SimStatus build(Builder *builder, double from, double to, int halvings) {
  int d = builder->pieces->d;
  const double pi = acos(-1);
  double *values = builder->values;
  for (int j = 0; j < NODES; j++) {
    builder->force(builder->context, from + (to - from) * (1 + cos(pi * (j + 0.5) / NODES)) / 2, values + j * d);
    for (int i = 0; i < d; i++) {
      if (!isfinite(values[j * d + i])) return SIM_NON_FINITE;
      builder->scale[i] = fmax(builder->scale[i], fabs(values[j * d + i]));
    }
  }
  if (transform(d, values, builder->scale) || halvings == 0) {
    to_powers(d, values);
    return append(builder, from, values);
  }
  double middle = (from + to) / 2;
  SimStatus status = build(builder, from, middle, halvings - 1);
  return status == SIM_OK ? build(builder, middle, to, halvings - 1) : status;
}

SimStatus force_pieces_create(ForceFunction *force, void *context, int d, double end, int n, const double *breaks,
                              ForcePieces *pieces) {
  Builder builder = {.force = force, .context = context, .pieces = pieces, .end = end};
  *pieces = (ForcePieces){.d = d};
  builder.values = calloc((size_t)d * (NODES + 1), sizeof *builder.values);
  if (!builder.values) return SIM_NO_MEMORY;
  builder.scale = builder.values + (size_t)d * NODES;
  SimStatus status = SIM_OK;
  for (int k = 0; k <= n && status == SIM_OK; k++)
    status = build(&builder, k ? breaks[k - 1] : 0, k < n ? breaks[k] : end, HALVINGS);
  free(builder.values);
  if (status != SIM_OK) {
    force_pieces_clear(pieces);
    return status;
  }
  pieces->start[pieces->count] = end;
  return SIM_OK;
}

void force_pieces_clear(ForcePieces *pieces) {
  free(pieces->start);
  free(pieces->order);
  free(pieces->c);
  *pieces = (ForcePieces){0};
}
