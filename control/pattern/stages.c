/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pattern/riccati.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ITERATIONS: maximum number of iterations. STALL_STEPS: number of consecutive short steps after which the solver
 * ends. */
enum { ITERATIONS = 60, STALL_STEPS = 4 };
static const double TOLERANCE = 1e-9; /* relative tolerance of the residuals and of the duality gap */
static const double ACCEPTABLE_TOLERANCE =
    1e-6; /* tolerance that is also accepted if round-off or the maximum number of iterations prevents a smaller one */
/* largest fraction of the distance to the nearest bound that a step may cover */
static const double FRACTION_TO_BOUNDARY = 0.995;
static const double BOUND_GRADIENT = 1e-7; /* the value of the Lagrangian counts as a lower bound of the minimum if the
                                            * Lagrangian's gradient, relative to the initial one, is below this */
static const double BOUND_MARGIN = 1e-4;   /* margin that is subtracted from that lower bound, relative to it */
static const double STALL_LENGTH = 1e-2;   /* if steps are shorter than this, the rows (constraints) probably contradict
                                            * each other */

bool stages_init(Stages *s, int n, int w, int u, int rows_most) {
  size_t N = (size_t)n, W = (size_t)w, U = (size_t)u, Z = W + U, R = (size_t)rows_most;
  *s = (Stages){.stages = n, .w = w, .u = u, .rows_most = rows_most};
  s->F = calloc(N, sizeof *s->F);
  s->row = calloc(R + 1, sizeof *s->row);
  s->g = calloc(N * W + Z * Z + W + R * Z + N * U + (N + 1) * W, sizeof *s->g);
  if (!s->F || !s->row || !s->g) return false;
  s->H = s->g + N * W;
  s->start = s->H + Z * Z;
  s->a = s->start + W;
  s->control = s->a + R * Z;
  s->states = s->control + N * U;
  return true;
}

void stages_clear(Stages *s) {
  free(s->F);
  free(s->row);
  free(s->g);
  free(s->work);
  *s = (Stages){0};
}

double *stages_add_row(Stages *s, int stage, double lower, double upper) {
  size_t z = (size_t)(s->w + s->u);
  double *a = s->a + (size_t)s->n_rows * z;
  s->row[s->n_rows++] = (StageRow){stage, lower, upper};
  memset(a, 0, z * sizeof *a);
  return a;
}

static int count_equalities(const Stages *s) {
  int n = 0;
  for (int r = 0; r < s->n_rows; r++) n += s->row[r].lower == s->row[r].upper;
  return n;
}

static double *carve(double **next, size_t n) {
  double *here = *next;
  *next += n;
  return here;
}

static bool lay_out(Stages *s, Iterate *it) {
  size_t N = (size_t)s->stages, W = (size_t)s->w, U = (size_t)s->u, Z = W + U, R = (size_t)s->n_rows;
  size_t E = (size_t)count_equalities(s);
  size_t size =
      12 * R + (N + 1) * Z + N * U * (W + U + 1) + W * W + W * Z + Z * Z + (E + 1) * (N + 1) * Z + W + Z + E * (E + 3);
  if ((long)size > s->work_size) {
    free(s->work);
    s->work = malloc(size * sizeof *s->work);
    s->work_size = s->work ? (long)size : 0;
    if (!s->work) return false;
  }
  double *next = s->work;
  memset(next, 0, size * sizeof *next);
  it->equalities = (int)E;
  for (int k = 0; k < 2; k++) {
    it->slack[k] = carve(&next, R);
    it->price[k] = carve(&next, R);
    it->d_slack[k] = carve(&next, R);
    it->d_price[k] = carve(&next, R);
    it->bend[k] = carve(&next, R);
  }
  it->value = carve(&next, R);
  it->d_value = carve(&next, R);
  it->gradient = carve(&next, (N + 1) * Z);
  it->gain = carve(&next, N * U * W);
  it->factor = carve(&next, N * U * U);
  it->h = carve(&next, N * U);
  it->P = carve(&next, W * W);
  it->next = carve(&next, W * Z);
  it->Z = carve(&next, Z * Z);
  it->dz = carve(&next, (N + 1) * Z);
  it->halves = carve(&next, E * N * U);
  it->q = carve(&next, W);
  it->on = carve(&next, Z);
  it->schur = carve(&next, E * (E + 1));
  it->right = carve(&next, E);
  it->which = (void *)carve(&next, E); /* the integers `which` are stored in the memory of as many doubles */
  for (int r = 0, e = 0; r < s->n_rows; r++)
    if (is_equality(s, r)) it->which[e++] = r;
  return true;
}

/* Computes the states from the control by w_{k+1} = F_k z_k + g_k. */
static void roll_out(Stages *s) {
  int w = s->w, u = s->u, z = w + u;
  memcpy(s->states, s->start, (size_t)w * sizeof *s->states);
  for (int k = 0; k < s->stages; k++) {
    const double *F = s->F[k], *from = s->states + k * w, *control = s->control + k * u;
    double *to = s->states + (k + 1) * w;
    for (int i = 0; i < w; i++) to[i] = s->g[k * w + i] + dot(w, F + i * z, from) + dot(u, F + i * z + w, control);
  }
}

static void look_at_rows(const Stages *s, Iterate *it) {
  int w = s->w, u = s->u, z = w + u;
  for (int r = 0; r < s->n_rows; r++) {
    const double *a = s->a + (size_t)r * (size_t)z;
    int k = s->row[r].stage;
    it->value[r] = dot(w, a, s->states + k * w) + (k < s->stages ? dot(u, a + w, s->control + k * u) : 0);
  }
}

static double limit_of(const Stages *s, int side, int r) { return side ? -s->row[r].lower : s->row[r].upper; }

static double row_times(const Stages *s, int r, const double *dz) {
  int z = s->w + s->u, k = s->row[r].stage;
  return dot(k < s->stages ? z : s->w, s->a + (size_t)r * (size_t)z, dz + (size_t)k * (size_t)z);
}

/* Computes the direction of a step. Its right-hand side is the gradient of the Lagrangian, z'H + a'prices, plus terms
 * that depend on the centring parameter tau and, if `corrects` is true, on the predictor step. */
static void find_direction(const Stages *s, Iterate *it, double tau, bool corrects) {
  int w = s->w, u = s->u, z = w + u, n = it->equalities;
  for (int k = 0; k < s->stages; k++) {
    double *g = it->gradient + (size_t)k * (size_t)z;
    for (int i = 0; i < z; i++)
      g[i] = dot(w, s->H + i * z, s->states + k * w) + dot(u, s->H + i * z + w, s->control + k * u);
  }
  memset(it->gradient + (size_t)s->stages * (size_t)z, 0, (size_t)z * sizeof *it->gradient);
  for (int r = 0; r < s->n_rows; r++) {
    double force = is_equality(s, r) ? it->price[0][r] : 0;
    for (int side = 0; side < 2 && !is_equality(s, r); side++) {
      double slack = it->slack[side][r], price = it->price[side][r], sign = side ? -1 : 1;
      if (!isfinite(slack)) continue;
      double broken = sign * it->value[r] + slack - limit_of(s, side, r);
      force += sign * ((tau - (corrects ? it->bend[side][r] : 0)) / slack + price / slack * broken);
    }
    add(z, force, s->a + (size_t)r * (size_t)z, it->gradient + (size_t)s->row[r].stage * (size_t)z);
  }
  const double *last = it->gradient + (size_t)s->stages * (size_t)z;
  riccati_sweep_back(s, it, s->stages, last, it->gradient, it->h);
  int size = s->stages * u;
  for (int e = 0; e < n; e++) { /* residuals that the equalities would have after the step dz = -K^-1 gradient, in which
                                 * their multipliers are 0; K: matrix of the cost */
    int r = it->which[e];
    it->right[e] = it->value[r] - s->row[r].upper - dot(size, it->halves + (size_t)e * (size_t)size, it->h);
  }
  if (n) riccati_substitute(n, it->schur, it->right, 1);
  for (int e = 0; e < n; e++) {
    it->d_price[0][it->which[e]] = it->right[e];
    add(size, it->right[e], it->halves + (size_t)e * (size_t)size, it->h);
  }
  riccati_sweep_along(s, it, it->h, it->dz);
  for (int r = 0; r < s->n_rows; r++) {
    it->d_value[r] = row_times(s, r, it->dz);
    for (int side = 0; side < 2 && !is_equality(s, r); side++) {
      double slack = it->slack[side][r], price = it->price[side][r], sign = side ? -1 : 1;
      if (!isfinite(slack)) continue;
      double broken = sign * it->value[r] + slack - limit_of(s, side, r);
      it->d_slack[side][r] = -broken - sign * it->d_value[r];
      it->d_price[side][r] = (tau - (corrects ? it->bend[side][r] : 0) - price * it->d_slack[side][r]) / slack - price;
    }
  }
}

/* Returns the sum of the products of slacks and multipliers after the fraction `part` of the step. count: set to
 * their number. */
static double gap_after(const Stages *s, const Iterate *it, double part, long *count) {
  double sum = 0;
  *count = 0;
  for (int r = 0; r < s->n_rows; r++)
    for (int side = 0; side < 2 && !is_equality(s, r); side++) {
      if (!isfinite(it->slack[side][r])) continue;
      sum += (it->slack[side][r] + part * it->d_slack[side][r]) * (it->price[side][r] + part * it->d_price[side][r]);
      ++*count;
    }
  return sum;
}

static double step_length(const Stages *s, const Iterate *it) {
  double part = 1 / FRACTION_TO_BOUNDARY;
  for (int r = 0; r < s->n_rows; r++)
    for (int side = 0; side < 2 && !is_equality(s, r); side++) {
      if (!isfinite(it->slack[side][r])) continue;
      if (it->d_slack[side][r] < 0) part = fmin(part, -it->slack[side][r] / it->d_slack[side][r]);
      if (it->d_price[side][r] < 0) part = fmin(part, -it->price[side][r] / it->d_price[side][r]);
    }
  return fmin(1, FRACTION_TO_BOUNDARY * part);
}

static void move_iterate(Stages *s, Iterate *it, double part) {
  int w = s->w, u = s->u, z = w + u;
  for (int k = 0; k < s->stages; k++) add(u, part, it->dz + (size_t)k * (size_t)z + w, s->control + k * u);
  for (int r = 0; r < s->n_rows; r++) {
    if (is_equality(s, r)) it->price[0][r] += part * it->d_price[0][r];
    for (int side = 0; side < 2 && !is_equality(s, r); side++) {
      if (!isfinite(it->slack[side][r])) continue;
      it->slack[side][r] += part * it->d_slack[side][r];
      it->price[side][r] += part * it->d_price[side][r];
    }
  }
  roll_out(s);
  look_at_rows(s, it);
}

static double cost_of(const Stages *s) {
  int w = s->w, u = s->u, z = w + u;
  double sum = 0;
  for (int k = 0; k < s->stages; k++) {
    const double *state = s->states + k * w, *control = s->control + k * u;
    for (int i = 0; i < z; i++) {
      const double *row = s->H + i * z;
      sum += (i < w ? state[i] : control[i - w]) * (dot(w, row, state) + dot(u, row + w, control)) / 2;
    }
  }
  return sum;
}

/* Returns the largest violation of a row, relative to its scale. Rows are scaled to about 1. */
static double largest_violation(const Stages *s, const Iterate *it) {
  double most = 0;
  for (int r = 0; r < s->n_rows; r++) {
    double size = 1 + fabs(it->value[r]);
    most = fmax(most, fmax(it->value[r] - s->row[r].upper, s->row[r].lower - it->value[r]) / size);
  }
  return most;
}

/* Sets the starting point: the control of least effort that meets the equalities, and positive slacks and multipliers
 * of the inequalities. Returns false if round-off prevents a factorisation. */
static bool set_start(Stages *s, Iterate *it) {
  memset(s->control, 0, (size_t)(s->stages * s->u) * sizeof *s->control);
  roll_out(s);
  look_at_rows(s, it);
  for (int r = 0; r < s->n_rows; r++) it->slack[0][r] = it->slack[1][r] = INFINITY;
  if (!riccati_factor(s, it) || !riccati_factor_equalities(s, it)) return false;
  find_direction(s, it, 0, false);
  move_iterate(s, it, 1);
  static const double SCALE_MIN = 1e-6;
  double scale = fmax(cost_of(s), DBL_MIN);
  long rows = 0;
  it->scale = SCALE_MIN * scale;
  for (int r = 0; r < s->n_rows; r++) rows += !is_equality(s, r);
  for (int r = 0; r < s->n_rows; r++)
    for (int side = 0; side < 2 && !is_equality(s, r); side++) {
      if (!isfinite(limit_of(s, side, r))) continue;
      it->slack[side][r] = fmax(fabs(limit_of(s, side, r) - (side ? -1 : 1) * it->value[r]), 0.1);
      it->price[side][r] = scale / (double)rows / it->slack[side][r];
    }
  return true;
}

/* Returns the value of the Lagrangian. It is a lower bound of the minimum if the Lagrangian's gradient is 0. */
static double lower_bound(const Stages *s, const Iterate *it) {
  double sum = cost_of(s);
  for (int r = 0; r < s->n_rows; r++) {
    if (is_equality(s, r)) sum += it->price[0][r] * (it->value[r] - s->row[r].upper);
    for (int side = 0; side < 2 && !is_equality(s, r); side++)
      if (isfinite(it->slack[side][r]))
        sum += it->price[side][r] * ((side ? -1 : 1) * it->value[r] - limit_of(s, side, r));
  }
  return sum;
}

double stages_solve(Stages *s, double enough) {
  Iterate it;
  if (!lay_out(s, &it)) return NAN;
  if (!set_start(s, &it)) return INFINITY;
  int shorts = 0;
  /* gradient of the Lagrangian, relative to the initial one; a step of length `a` multiplies it by 1 - a */
  double slope = 1;
  double J = cost_of(s), last = INFINITY;
  for (int iteration = 0; iteration < ITERATIONS; iteration++) {
    long count;
    double left = gap_after(s, &it, 0, &count), off = largest_violation(s, &it);
    J = cost_of(s);
    if (!isfinite(J) || !isfinite(left)) return INFINITY;
    double changes = fabs(J - last) / (J + DBL_MIN);
    if (off <= TOLERANCE && left <= TOLERANCE * fmax(J, it.scale) && (count > 0 || changes < TOLERANCE)) return J;
    if (slope < BOUND_GRADIENT && lower_bound(s, &it) > (1 + BOUND_MARGIN) * enough) return INFINITY;
    last = J;
    if (!riccati_factor(s, &it) || !riccati_factor_equalities(s, &it)) break;
    double tau = count ? left / (double)count : 0, ratio = 0, part = 1;
    if (count) {
      find_direction(s, &it, 0, false);
      part = step_length(s, &it);
      ratio = gap_after(s, &it, part, &(long){0}) / left;
      for (int side = 0; side < 2; side++)
        for (int r = 0; r < s->n_rows; r++) it.bend[side][r] = it.d_slack[side][r] * it.d_price[side][r];
    }
    find_direction(s, &it, ratio * ratio * ratio * tau, count > 0);
    part = step_length(s, &it);
    shorts = part < STALL_LENGTH ? shorts + 1 : 0;
    if (shorts == STALL_STEPS) break;
    move_iterate(s, &it, part);
    slope *= 1 - part;
  }
  long count;
  J = cost_of(s);
  return isfinite(J) && largest_violation(s, &it) <= ACCEPTABLE_TOLERANCE &&
                 gap_after(s, &it, 0, &count) <= ACCEPTABLE_TOLERANCE * fmax(J, it.scale)
             ? J
             : INFINITY;
}
