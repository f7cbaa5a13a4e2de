/* SPDX-License-Identifier: BSD-2-Clause */
/* Accuracy of the fitted parameters, from the singular values of the derivatives of the residuals with respect to
 * relative changes of the parameters. */
#include "control/base/argument.h"
#include "control/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* This declaration replaces the C header of LAPACK. The function has Fortran's calling convention and 32-bit
 * integers. */
void dgesvd_(const char *jobu, const char *jobv, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *v, const int *ldv, double *work, const int *lwork, int *info,
             size_t length_u, size_t length_v);

/* smallest singular value that is used, relative to the largest; below it finite differences are dominated by
 * round-off */
#define RANK_TOLERANCE 1e-6
/* smallest noise assumed in CtlFitStatistics.offset, relative to the norm of the derivatives */
#define LEAST_NOISE   1e-6
#define COMPONENT_MIN 0.01 /* components of a unit vector below this are neglected */
/* distance from a bound, relative to the distance between the bounds, within which a parameter counts as being at the
 * bound */
#define BOUND_TOLERANCE 1e-9

/* The free parameters, and the directions in parameter space with their singular values (right singular vectors). */
typedef struct Directions {
  int n, *of;    /* number n of free parameters; [n] their indices */
  double *scale; /* [n] absolute change of a parameter that corresponds to a relative change of 1 */
  /* [n][m] derivatives of the residuals with respect to relative changes, one row per parameter; owned, in one
   * allocation with the other arrays */
  double *a;
  double *u;             /* [n][n] unit directions; direction k begins at u[k * n] */
  double *values, *step; /* [n] singular values; [n] components of the Gauss-Newton step along the directions */
} Directions;

static void directions_clear(Directions *d) {
  free(d->of);
  free(d->a);
}

static bool directions_init(const CtlFit *fit, Directions *d) {
  size_t n = (size_t)fit->n, m = (size_t)fit->m;
  d->of = calloc(n, sizeof *d->of);
  d->a = calloc(n * m + n * n + 3 * n, sizeof *d->a);
  d->u = d->a + n * m;
  d->values = d->u + n * n;
  d->step = d->values + n;
  d->scale = d->step + n;
  return d->of && d->a;
}

/* Whether parameter i is at a bound and the sum of squares decreases beyond it. Half of the sum's derivative is sum_k
 * r_k J_ki. */
static bool is_bound(const CtlFit *fit, const double *p, const double *r, const double *jacobian, int i) {
  double near = BOUND_TOLERANCE * (fit->upper[i] - fit->lower[i]), slope = 0;
  for (int k = 0; k < fit->m; k++) slope += r[k] * jacobian[(size_t)k * (size_t)fit->n + (size_t)i];
  return (p[i] - fit->lower[i] <= near && slope > 0) || (fit->upper[i] - p[i] <= near && slope < 0);
}

static void choose_free(const CtlFit *fit, const double *p, const double *r, const double *jacobian, Directions *d,
                        bool *bound) {
  size_t m = (size_t)fit->m;
  d->n = 0;
  for (int i = 0; i < fit->n; i++) {
    bound[i] = is_bound(fit, p, r, jacobian, i);
    if (bound[i]) continue;
    double scale = p[i] != 0 ? fabs(p[i]) : fit->upper[i] - fit->lower[i];
    d->scale[d->n] = scale;
    d->of[d->n] = i;
    for (size_t k = 0; k < m; k++) d->a[(size_t)d->n * m + k] = scale * jacobian[k * (size_t)fit->n + (size_t)i];
    d->n++;
  }
}

/* Computes the singular values and directions of the matrix d->a, which is overwritten, and the Gauss-Newton step along
 * each direction. */
static SimStatus decompose_directions(const CtlFit *fit, const double *r, Directions *d) {
  int n = d->n, m = fit->m, least = m < n ? m : n, lwork = 10 * (m + n) + 64, info = 0, one = 1;
  size_t size = (size_t)lwork + (size_t)m * (size_t)n + (size_t)n * (size_t)n;
  if (n == 0) return SIM_OK;
  double *work = calloc(size, sizeof *work), ignored = 0;
  if (!work) return SIM_NO_MEMORY;
  double *copy = work + lwork, *vt = copy + (size_t)m * (size_t)n;
  memcpy(copy, d->a, (size_t)m * (size_t)n * sizeof *copy);
  dgesvd_("N", "A", &m, &n, copy, &m, d->values, &ignored, &one, vt, &n, work, &lwork, &info, 1, 1);
  for (int k = least; k < n; k++) d->values[k] = 0;
  for (int k = 0; k < n; k++) {
    double along = 0;
    for (int i = 0; i < n; i++) {
      double part = d->u[k * n + i] = vt[i * n + k]; /* Fortran's matrices are stored by columns */
      for (int j = 0; j < m; j++) along -= part * d->a[(size_t)i * (size_t)m + (size_t)j] * r[j];
    }
    /* multiplied by the singular value, the component has the unit of the residuals */
    d->step[k] = d->values[k] > 0 ? along / d->values[k] : 0;
  }
  free(work);
  return info == 0 ? SIM_OK : SIM_NON_FINITE;
}

static bool is_determined(const Directions *d, int k, double deviation) {
  return d->values[k] > RANK_TOLERANCE * d->values[0] && d->values[k] > deviation;
}

/* Stores direction k as a combination of parameters that the data do not determine, scaled so that its largest relative
 * change is 1. */
static void note_undetermined(const Directions *d, int n, int k, CtlFitStatistics *s) {
  double *row = s->combination + (size_t)s->undetermined++ * (size_t)n, most = 0;
  int leader = 0;
  memset(row, 0, (size_t)n * sizeof *row);
  for (int i = 0; i < d->n; i++)
    if (fabs(d->u[k * d->n + i]) > most) most = fabs(d->u[k * d->n + (leader = i)]);
  for (int i = 0; i < d->n; i++) {
    double part = d->u[k * d->n + i];
    if (fabs(part) <= COMPONENT_MIN) continue;
    row[d->of[i]] = part / d->u[k * d->n + leader] * d->scale[i];
    s->error[d->of[i]] = INFINITY;
  }
}

/* Adds the contribution of direction k, which the data determine, to the covariances in s->correlation. */
static void add_covariance(const Directions *d, int n, int k, double deviation, CtlFitStatistics *s) {
  for (int i = 0; i < d->n; i++)
    for (int j = 0; j < d->n; j++) {
      double a = d->u[k * d->n + i] * d->scale[i] / d->values[k], b = d->u[k * d->n + j] * d->scale[j] / d->values[k];
      s->correlation[d->of[i] * n + d->of[j]] += deviation * deviation * a * b;
    }
}

/* Converts the covariances in s->correlation to standard errors and correlations. spare: whether there are more data
 * than parameters; otherwise the errors are unknown. */
static void normalise_covariance(int n, bool spare, CtlFitStatistics *s) {
  for (int i = 0; i < n; i++)
    if (isfinite(s->error[i])) s->error[i] = spare ? sqrt(s->correlation[i * n + i]) : INFINITY;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double *c = &s->correlation[i * n + j], both = s->error[i] * s->error[j];
      *c = i == j ? 1 : isfinite(both) && both > 0 ? *c / both : 0;
    }
}

/* Returns the length of the Gauss-Newton step along the determined directions, relative to the noise in the data. */
static double find_offset(const CtlFit *fit, const Directions *d, double deviation) {
  double step = 0, whole = 0;
  for (int k = 0; k < d->n; k++)
    if (is_determined(d, k, deviation)) step += d->step[k] * d->step[k];
  for (size_t j = 0; j < (size_t)d->n * (size_t)fit->m; j++) whole += d->a[j] * d->a[j];
  return step > 0 ? sqrt(step) / fmax(sqrt((double)d->n) * deviation, LEAST_NOISE * sqrt(whole)) : 0;
}

static bool are_finite(size_t n, const double *numbers) {
  for (size_t k = 0; k < n; k++)
    if (!isfinite(numbers[k])) return false;
  return true;
}

SimStatus ctl_fit_statistics(const CtlFit *fit, const double *p, const double *r, const double *jacobian, int data,
                             CtlFitStatistics *s) {
  ARGUMENT(fit && fit->n >= 1 && fit->m >= 1 && fit->lower && fit->upper, "fit",
           "is NULL, or has no parameters, residuals or bounds");
  ARGUMENT(p && r && jacobian, "p, r, jacobian", "are NULL");
  ARGUMENT(data >= 0, "data", "is below 0");
  ARGUMENT(s && s->bound && s->error && s->correlation && s->combination, "statistics",
           "is NULL, or has no room for an array");
  Directions d = {0};
  int n = fit->n;
  double sum = 0;
  if (!directions_init(fit, &d)) {
    directions_clear(&d);
    return SIM_NO_MEMORY;
  }
  if (!are_finite((size_t)fit->m * (size_t)n, jacobian)) {
    directions_clear(&d);
    return SIM_NON_FINITE;
  }
  choose_free(fit, p, r, jacobian, &d, s->bound);
  SimStatus status = decompose_directions(fit, r, &d);
  for (int k = 0; k < fit->m; k++) sum += r[k] * r[k];
  s->free = d.n;
  s->deviation = data > d.n ? sqrt(sum / (data - d.n)) : 0;
  s->undetermined = 0;
  memset(s->correlation, 0, (size_t)n * (size_t)n * sizeof *s->correlation);
  memset(s->error, 0, (size_t)n * sizeof *s->error);
  for (int k = 0; k < d.n && status == SIM_OK; k++)
    if (is_determined(&d, k, s->deviation))
      add_covariance(&d, n, k, s->deviation, s);
    else
      note_undetermined(&d, n, k, s);
  normalise_covariance(n, data > d.n, s);
  s->offset = find_offset(fit, &d, s->deviation);
  directions_clear(&d);
  return status;
}

SimStatus ctl_fit_shift(const CtlFit *fit, const double *p, const double *r, const double *jacobian,
                        const double *change, const CtlFitStatistics *statistics, double *shift) {
  ARGUMENT(fit && fit->n >= 1 && fit->m >= 1 && fit->lower && fit->upper, "fit",
           "is NULL, or has no parameters, residuals or bounds");
  ARGUMENT(p && r && jacobian && change, "p, r, jacobian, change", "are NULL");
  ARGUMENT(statistics && statistics->bound, "statistics", "is NULL, or has no room for an array");
  ARGUMENT_THERE(shift);
  Directions d = {0};
  SimStatus status = directions_init(fit, &d) ? SIM_OK : SIM_NO_MEMORY;
  memset(shift, 0, (size_t)fit->n * sizeof *shift);
  if (status == SIM_OK &&
      !(are_finite((size_t)fit->m * (size_t)fit->n, jacobian) && are_finite((size_t)fit->m, change)))
    status = SIM_NON_FINITE;
  if (status == SIM_OK) {
    choose_free(fit, p, r, jacobian, &d, statistics->bound);
    status = decompose_directions(fit, change, &d);
  }
  for (int k = 0; k < d.n && status == SIM_OK; k++)
    for (int i = 0; i < d.n && is_determined(&d, k, statistics->deviation); i++)
      shift[d.of[i]] += d.scale[i] * d.u[k * d.n + i] * d.step[k] / d.values[k];
  directions_clear(&d);
  return status;
}
