/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/certify/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void forms_row(const CtlBound *bound, double row[BOUND_N]) {
  for (int i = 0; i < bound->n; i++) {
    for (int j = 0; j < i; j++) row[i] -= bound->L[i][j] * row[j];
    row[i] /= bound->L[i][i];
  }
}

/* Data of a system from which its forms are computed. A form is an inequality between any two motions (bound.h). */
typedef struct System {
  const CtlProblem *problem;
  const SimProblem *sim;
  int d, n, positions, velocities;
  bool constant; /* whether u is constant in time */
  /* [d][n] control matrix for the scaled control w, if the control is constant in time; owned, in one allocation with
   * the arrays below */
  double *B;
  double *P;                        /* [d][d] matrix P of the quadratic form in dx or dv, the difference of two
                                     * positions or velocities */
  double *split;                    /* [d][d] copy of the block of P for the entries without a target (the free
                                     * entries) */
  double *columns;                  /* [d + n][d] right-hand sides (loads) for which eliminate_free solves */
  double *off;                      /* [d + n][d] round-off bounds of these columns */
  double energy[BOUND_N][BOUND_N];  /* right side of (2) of README.md, T int |b|^2 dt, as a quadratic form of the
                                     * difference dw of two controls. b: difference of the loads of these controls, with
                                     * the norm |b|^2 = b'M^-1 b */
  double squared[BOUND_N][BOUND_N]; /* right side of (3) of README.md, T^2/2 int (T - t) |b|^2 dt, as a quadratic
                                     * form of dw */
} System;

/* Adds `weight` times |b(t)|^2, the squared norm of a difference b of loads, to a quadratic form. Q: matrix of |b|^2 as
 * a quadratic form of u(t). At time t, u is the combination of u_{segment-1} and u_segment with the weights `share`. */
static void add_power(const System *s, const double *Q, int segment, const double share[2], double weight,
                      double form[BOUND_N][BOUND_N]) {
  int p = s->problem->p;
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++)
      for (int i = 0; i < p * p; i++) {
        int row = (segment - 1 + a) * p + i / p, column = (segment - 1 + b) * p + i % p;
        if (row >= 0 && column >= 0) form[row][column] += weight * share[a] * share[b] * Q[i];
      }
}

/* Converts the matrix of a quadratic form of u to that of a quadratic form of w: L^-1 form L'^-1. */
static void transform_form(const CtlBound *bound, double form[BOUND_N][BOUND_N]) {
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < bound->n; i++) forms_row(bound, form[i]);
    for (int i = 0; i < bound->n; i++)
      for (int j = 0; j < i; j++) {
        double other = form[i][j];
        form[i][j] = form[j][i];
        form[j][i] = other;
      }
  }
}

/* Integrates |b|^2, the squared norm of the difference of loads, over time. Two-point Gauss quadrature in each segment
 * is exact for polynomials up to degree 3. */
static void integrate_power(const CtlBound *bound, System *s, const double *Q) {
  const CtlProblem *problem = s->problem;
  double T = problem->end, h = T / problem->segments;
  bool linear = problem->signal == SIM_PIECEWISE_LINEAR;
  for (int segment = 0; segment < problem->segments; segment++)
    for (int point = 0; point < 2; point++) {
      double part = (1 + (point ? 1 : -1) / sqrt(3)) / 2, left = T - (segment + part) * h;
      const double share[2] = {linear ? 1 - part : 0, linear ? part : 1};
      add_power(s, Q, segment, share, T * h / 2, s->energy);
      add_power(s, Q, segment, share, T * T / 2 * left * h / 2, s->squared);
    }
  transform_form(bound, s->energy);
  transform_form(bound, s->squared);
}

/* Computes Q = B'M^-1 B, and its integrals over time in the fields `energy` and `squared`. inverse: workspace
 * [d][d]. */
static SimStatus measure_power(const CtlBound *bound, System *s, double *inverse) {
  const double *B = s->sim->control_matrix;
  int p = s->sim->n_control, d = s->d;
  double Q[BOUND_N * BOUND_N] = {0};
  SimStatus status = dense_invert(d, s->sim->system.mass, inverse);
  if (status != SIM_OK) return status;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < p * p; k++) Q[k] += B[i * p + k / p] * inverse[i * d + j] * B[j * p + k % p];
  integrate_power(bound, s, Q);
  return SIM_OK;
}

/* Lists the indices of 0..d-1 that are not among the n indices `given`. Returns their number. */
static int list_free(int d, int n, const int *given, int *rows) {
  int count = 0;
  for (int i = 0; i < d; i++) {
    bool is_given = false;
    for (int k = 0; k < n; k++) is_given |= given[k] % d == i;
    if (!is_given) rows[count++] = i;
  }
  return count;
}

/* Returns the relative round-off of results that use a factored matrix: some ulps times its condition number. norm:
 * maximum row sum of the matrix. */
static double rounding_of(int n, const double *factor, double norm) {
  static const double ULPS = 8 * 2.220446049250313e-16;
  double sums[BOUND_D] = {0}, inverse = 0;
  for (int k = 0; k < n; k++) {
    double column[BOUND_D] = {0};
    column[k] = 1;
    dense_substitute(n, factor, column);
    for (int i = 0; i < n; i++) sums[i] += fabs(column[i]);
  }
  for (int i = 0; i < n; i++) inverse = fmax(inverse, sums[i]);
  return ULPS * (n + 1) * (1 + norm * inverse);
}

/* Minimises z'P z/2 over the free entries of z, those that are not among the n given ones. S, with row length `stride`,
 * is set to the Schur complement of P. s->columns has `loads` columns of length d, each of which is replaced: its free
 * entries by P_ff^-1 times the column, where P_ff is the block of P for the free entries, and its given entries by the
 * effective load. s->off, of the same shape, is set to the round-off of the columns, and `rounded` [n] to numbers r
 * that bound the round-off dS of S: |m'dS m| <= sum_i r_i m_i^2. Returns whether the minimum is bounded. */
static bool eliminate_free(System *s, const double *P, int n, const int *given, double *S, int stride, int loads,
                           double *rounded) {
  int d = s->d, all = n + loads, free_rows[BOUND_D], free_count = list_free(d, n, given, free_rows);
  double *columns = s->columns, norm = 0;
  for (int i = 0; i < free_count; i++) {
    double sum = 0;
    for (int j = 0; j < free_count; j++) sum += fabs(s->split[i * free_count + j] = P[free_rows[i] * d + free_rows[j]]);
    norm = fmax(norm, sum);
  }
  if (free_count && dense_factor(free_count, s->split)) return false;
  double part_off = rounding_of(free_count, s->split, norm);
  for (int k = 0; k < all; k++) {
    double *column = columns + k * d, *off = s->off + k * d, part[BOUND_D], most = 0;
    for (int i = 0; i < d && k >= loads; i++) column[i] = P[i * d + given[k - loads] % d];
    for (int i = 0; i < free_count; i++) part[i] = column[free_rows[i]];
    dense_substitute(free_count, s->split, part);
    for (int i = 0; i < free_count; i++) most = fmax(most, fabs(part[i]));
    for (int i = 0; i < n; i++) {
      double *own = &column[given[i] % d], *own_off = &off[given[i] % d];
      *own_off = part_off * fabs(*own);
      for (int j = 0; j < free_count; j++) {
        *own -= P[(given[i] % d) * d + free_rows[j]] * part[j];
        *own_off += part_off * most * fabs(P[(given[i] % d) * d + free_rows[j]]);
      }
    }
    for (int i = 0; i < free_count; i++) {
      column[free_rows[i]] = part[i];
      off[free_rows[i]] = part_off * most;
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      S[i * stride + j] = columns[(loads + j) * d + given[i] % d];
      /* the error of a product is split by 2 |m_i m_j| <= m_i^2 + m_j^2 */
      double off = s->off[(loads + j) * d + given[i] % d];
      rounded[i] += off / 2;
      rounded[j] += off / 2;
    }
  return true;
}

/* Computes a form by minimising z'P z/2 - kappa (B dw)'z over the free entries of z = dx. H0: matrix of the quadratic
 * form dw'H0 dw/2 on the other side of the inequality. Returns whether the minimum is bounded. */
static bool fill_form(const CtlBound *bound, System *s, double kappa, double H0[BOUND_N][BOUND_N], BoundForm *form) {
  int d = s->d, n = s->n, m = bound->m, loads = kappa != 0 ? n : 0;
  for (int k = 0; k < loads; k++)
    for (int i = 0; i < d; i++) s->columns[k * d + i] = kappa * s->B[i * n + k];
  if (!eliminate_free(s, s->P, s->positions, bound->given, form->S, m, loads, form->rounded)) return false;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < s->positions && loads; i++) {
      form->G[k * m + i] = s->columns[k * d + bound->given[i]];
      form->slope_rounded[k * m + i] = s->off[k * d + bound->given[i]];
    }
    form->above[k] = 0;
    for (int l = 0; l < n; l++) {
      form->H[k][l] = H0[k][l];
      for (int i = 0; i < d && loads; i++) {
        bool is_given = false;
        for (int j = 0; j < s->positions; j++) is_given |= bound->given[j] == i;
        if (is_given) continue;
        form->H[k][l] += kappa * s->B[i * n + k] * s->columns[l * d + i];
        form->above[k] += 2 * fabs(kappa * s->B[i * n + k]) * s->off[l * d + i];
      }
    }
  }
  int at = s->positions;
  return eliminate_free(s, s->sim->system.mass, s->velocities, bound->given + at, form->S + at * (m + 1), m, 0,
                        form->rounded + at);
}

/* Computes the field `above` from the row sums of H, increased by the round-off of H and of these sums. */
static void complete_form(const CtlBound *bound, BoundForm *form) {
  static const double ROUND_OFF = 1e-13;
  for (int k = 0; k < bound->n; k++) {
    form->off[k] = 0;
    for (int l = 0; l < bound->n; l++) form->above[k] += (1 + ROUND_OFF) * fabs(form->H[k][l]);
    for (int i = 0; i < bound->m; i++) form->off[k] += bound->off[i] * fabs(form->G[k * bound->m + i]);
  }
}

/* Adds a form with P = A + s 2/T^2 M, where A is the stiffness and M the mass matrix. If theta < 0, the form follows
 * from (2) and (3) of README.md; otherwise from (1) and (4) with theta and c. */
static SimStatus add_form(CtlBound *bound, System *system, double s, double theta, double c) {
  const double *M = system->sim->system.mass, *A = system->sim->system.stiffness;
  double rho = system->problem->end * system->problem->end / 2, kappa = theta < 0 ? 0 : 1 + s * theta / 2;
  double H0[BOUND_N][BOUND_N];
  BoundForm *form;
  if (bound_add_form(bound, &form) != SIM_OK) return SIM_NO_MEMORY;
  for (int i = 0; i < system->d * system->d; i++) system->P[i] = A[i] + s / rho * M[i];
  for (int k = 0; k < BOUND_N; k++)
    for (int l = 0; l < BOUND_N; l++)
      H0[k][l] =
          theta < 0 ? system->energy[k][l] + s / rho * system->squared[k][l] : s * c / rho * system->squared[k][l];
  /* if the minimum is not bounded, the form excludes no control and is not added */
  if (!fill_form(bound, system, kappa, H0, form)) return SIM_OK;
  complete_form(bound, form);
  bound->n_forms++;
  return SIM_OK;
}

SimStatus forms_create(CtlBound *bound, const CtlProblem *problem, const SimProblem *sim, int positions) {
  static const double parts[] = {0, 1.0 / 64, 1.0 / 8, 1, 8, 64};
  /* pairs of theta and c(theta) of (4) in README.md */
  static const double tangents[][2] = {{0, 1}, {1, 0.19026}, {2, 0.1302}, {4, 0.11338}};
  enum { PARTS = sizeof parts / sizeof *parts, TANGENTS = sizeof tangents / sizeof *tangents };
  size_t d = (size_t)sim->d, n = (size_t)bound->n;
  System s = {.problem = problem, .sim = sim, .d = sim->d, .n = bound->n, .positions = positions};
  s.velocities = bound->m - positions;
  s.constant = problem->segments == 1 && problem->signal != SIM_PIECEWISE_LINEAR;
  _Static_assert(PARTS * (TANGENTS + 1) <= BOUND_FORMS, "room for all");
  bound->forms = calloc(BOUND_FORMS, sizeof *bound->forms);
  s.B = malloc((d * n + 2 * d * d + 2 * (d + n) * d) * sizeof *s.B);
  SimStatus status = bound->forms && s.B ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    s.P = s.B + d * n;
    s.split = s.P + d * d;
    s.columns = s.split + d * d;
    s.off = s.columns + (d + n) * d;
    for (int i = 0; i < s.d && s.constant; i++) {
      double row[BOUND_N] = {0};
      memcpy(row, sim->control_matrix + (size_t)i * n, n * sizeof *row);
      forms_row(bound, row);
      memcpy(s.B + (size_t)i * n, row, n * sizeof *row);
    }
    status = measure_power(bound, &s, s.P);
  }
  for (int k = 0; k < PARTS && status == SIM_OK; k++) {
    status = add_form(bound, &s, parts[k], -1, 0);
    for (int t = 0; t < TANGENTS && status == SIM_OK && s.constant; t++)
      if (k || t == 0) status = add_form(bound, &s, parts[k], tangents[t][0], tangents[t][1]);
  }
  free(s.B);
  return status;
}
