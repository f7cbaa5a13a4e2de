/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/drift.h"

#include "control/bound/course.h"
#include "control/bound/inverse.h"
#include "sim/base/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { COEFFICIENTS = BOUND_DRIFT_DEGREE + 1 /* maximum number of coefficients of a polynomial */ };

static const double PI = 3.14159265358979323846;

int bound_drift_degree(const SimProblem *sim) {
  int d = sim->d, q = 1;
  bool other = d != sim->n_control;
  if (bound_force_is_constant(sim, NULL)) return 0;
  if (!other) { /* if the control matrix B has no inverse, the force cannot be part of the control */
    long double *inverse = malloc((size_t)(d * d) * sizeof *inverse + (size_t)d * sizeof(double));
    other = inverse && bound_invert(d, sim->control_matrix, inverse, (void *)(inverse + d * d)) == SIM_BAD_PROBLEM;
    free(inverse);
  }
  for (long k = 0; k < sim->piece_count && q < BOUND_DRIFT_DEGREE; k++)
    q = piece_order(sim, k) > q ? piece_order(sim, k) : q;
  return !other ? 0 : q < BOUND_DRIFT_DEGREE ? q : BOUND_DRIFT_DEGREE;
}

/* Computes the Bernstein coefficients of the polynomial of degree q on 0 .. 1 that takes the values `value` at the
 * points `place`. The values are overwritten by the coefficients, by Gaussian elimination. */
static void interpolate_bernstein(int q, const double place[COEFFICIENTS], double value[COEFFICIENTS]) {
  double m[COEFFICIENTS][COEFFICIENTS];
  for (int i = 0; i <= q; i++)
    for (int l = 0; l <= q; l++) m[i][l] = bound_binomial(q, l) * pow(place[i], l) * pow(1 - place[i], q - l);
  for (int k = 0; k <= q; k++) /* the matrix is totally positive, since the points ascend; so pivoting is not needed */
    for (int i = k + 1; i <= q; i++) {
      double by = m[i][k] / m[k][k];
      for (int l = k; l <= q; l++) m[i][l] -= by * m[k][l];
      value[i] -= by * value[k];
    }
  for (int k = q; k >= 0; k--) {
    for (int l = k + 1; l <= q; l++) value[k] -= m[k][l] * value[l];
    value[k] /= m[k][k];
  }
}

/* Converts a polynomial on 0 .. 1 from Bernstein form with coefficients b to powers: coefficient k is q over k times
 * the sum over l of (-1)^(k - l) (k over l) b_l. */
static BoundCourse powers_of(int q, const double *b) {
  BoundCourse out = {.order = q};
  for (int k = 0; k <= q; k++) {
    double size = 0;
    for (int l = 0; l <= k; l++) {
      double term = bound_binomial(q, k) * bound_binomial(k, l) * b[l];
      out.c[k] += (k - l) % 2 ? -term : term;
      size += fabs(term);
    }
    out.off[k] = 2 * COEFFICIENTS * DBL_EPSILON * size;
  }
  return out;
}

/* Returns an upper bound of the difference of two polynomials on -1 .. 1. */
static double difference_above(const BoundCourse *one, const BoundCourse *other) {
  double sum = 0;
  int order = one->order > other->order ? one->order : other->order;
  for (int i = 0; i <= order; i++) {
    double c = (i <= one->order ? one->c[i] : 0) - (i <= other->order ? other->c[i] : 0);
    sum +=
        fabs(c) * (1 + 4 * DBL_EPSILON) + (i <= one->order ? one->off[i] : 0) + (i <= other->order ? other->off[i] : 0);
  }
  return sum * (1 + 1e-12);
}

/* Fits a polynomial with the Bernstein coefficients a [q + 1] to the drift (drift.h) of one dof on an interval. row:
 * the row of M^-1 for this dof. Returns an upper bound of the remainder on the interval.
 *
 * The ends of intervals and of pieces of the force have an error of up to `near`. A piece that should not overlap the
 * interval may therefore overlap it by at most `near`. The remainder on such a short overlap enters the bound
 * multiplied by its duration: it may reduce the matrix (1) of program.h by at most 2 sum |S_a| |rest| during that time,
 * as |z| <= 1. This has the same effect as a remainder rest near/h on the whole interval of length h. */
static double fill_interval(const SimProblem *sim, int q, const long double *row, double row_off, double from,
                            double to, double *a) {
  double place[COEFFICIENTS], rest = 0, brief = 0, near = 16 * DBL_EPSILON * sim->end;
  for (int k = 0; k <= q; k++) {
    place[k] = (1 - cos(PI * (2 * k + 1) / (2 * (q + 1)))) / 2;
    a[k] = bound_course_at(sim, row, from + place[k] * (to - from));
  }
  interpolate_bernstein(q, place, a);
  const BoundCourse whole = powers_of(q, a);
  long piece = bound_piece_at(sim, from - near);
  for (; piece < sim->piece_count && piece_start(sim, piece) < to + near; piece++) {
    double start = piece_start(sim, piece), end = piece_start(sim, piece + 1);
    double first = fmax(from, start), last = fmin(to, end), middle = (first + last) / 2;
    double half = fmax(last - first, near) / 2;
    const BoundCourse course = bound_course(sim, row, row_off, piece);
    const BoundCourse is = bound_course_shifted(&course, (middle - start) / (end - start), half / (end - start),
                                                bound_course_wrong(sim->end, end - start)),
                      taken = bound_course_shifted(&whole, (middle - from) / (to - from), half / (to - from),
                                                   bound_course_wrong(sim->end, to - from));
    *(last - first > 2 * near ? &rest : &brief) =
        fmax(last - first > 2 * near ? rest : brief, difference_above(&is, &taken));
  }
  return (rest + 8 * brief * near / (to - from)) * (1 + 1e-12);
}

/* Whether the product of the force f and `row`, a row of M^-1, is nonzero at some time. *off: set to the error bound of
 * this product if the product is always zero. */
static bool is_moved(const SimProblem *sim, const long double *row, double row_off, double *off) {
  *off = 0;
  for (long piece = 0; piece < sim->piece_count; piece++) {
    const BoundCourse course = bound_course(sim, row, row_off, piece);
    double sum = 0;
    for (int k = 0; k <= course.order; k++) {
      if (course.c[k] != 0) return true;
      sum += course.off[k];
    }
    *off = fmax(*off, sum);
  }
  return false;
}

static SimStatus fill_drift(const SimProblem *sim, const BoundMesh *mesh, const long double *inverse, const double *off,
                            BoundDrift *drift) {
  size_t intervals = (size_t)mesh->intervals, count = (size_t)mesh->forced + 1;
  for (int i = 0; i < sim->d; i++)
    drift->part[i] = is_moved(sim, inverse + i * sim->d, off[i], &drift->still[i]) ? ++drift->parts : 0;
  size_t parts = (size_t)drift->parts;
  drift->a = calloc(intervals * (parts * (count + 1) + 1), sizeof *drift->a);
  if (!drift->a) return SIM_NO_MEMORY;
  drift->rest = drift->a + intervals * parts * count;
  drift->missed = drift->rest + intervals * parts;
  for (int i = 0; i < sim->d; i++)
    for (int k = 0; k < mesh->intervals && drift->part[i]; k++) {
      int at = k * drift->parts + drift->part[i] - 1;
      double *a = drift->a + (size_t)at * count, from = mesh->time[k] * sim->end, to = mesh->time[k + 1] * sim->end;
      drift->rest[at] = fill_interval(sim, mesh->forced, inverse + i * sim->d, off[i], from, to, a);
      drift->missed[k] += drift->rest[at] * (to - from);
      for (size_t l = 0; l < count; l++) drift->whole += fabs(a[l]) * (to - from) / (double)count;
    }
  for (int k = 0; k < mesh->intervals; k++) drift->left += drift->missed[k];
  return SIM_OK;
}

SimStatus bound_drift_create(const SimProblem *sim, const BoundMesh *mesh, BoundDrift *drift) {
  size_t d = (size_t)sim->d;
  *drift = (BoundDrift){.still = malloc(d * (sizeof *drift->still + sizeof *drift->part))};
  long double *inverse = malloc(d * d * sizeof *inverse + d * sizeof(double));
  SimStatus status = drift->still && inverse ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    double *off = (void *)(inverse + d * d);
    drift->part = (void *)(drift->still + d);
    status = bound_invert(sim->d, sim->system.mass, inverse, off);
    if (status == SIM_OK) status = fill_drift(sim, mesh, inverse, off, drift);
  }
  free(inverse);
  return status;
}

void bound_drift_clear(BoundDrift *drift) {
  free(drift->still);
  free(drift->a);
  *drift = (BoundDrift){0};
}

void bound_drift_place(const BoundDrift *drift, const BoundMesh *mesh, int interval, int e, const double *scale, int d,
                       BoundPlace *place) {
  for (int i = 0; i < d; i++) {
    int part = drift->part[i];
    if (!part) continue;
    int at = interval * drift->parts + part - 1;
    for (int n = 0; n < place->span; n++) {
      int j = place->before + n, l = e - j;
      if (l < 0 || l > mesh->forced) continue;
      place->weight[(BOUND_VALUE + part) * BOUND_SPAN + n] =
          drift->a[at * (mesh->forced + 1) + l] * scale[i] * bound_mesh_product(mesh->degree, j, mesh->forced, l);
    }
    place->off[BOUND_VALUE + part] = drift->rest[at] * scale[i] * (1 + 4 * DBL_EPSILON);
  }
}
