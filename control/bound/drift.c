#include "control/bound/drift.h"

#include "control/bound/course.h"
#include "control/bound/inverse.h"
#include "sim/core/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { Q = BOUND_DRIFT_DEGREE, COEFFICIENTS = Q + 1 };

static const double PI = 3.14159265358979323846;

static double power(double s, int n) { return n ? s * power(s, n - 1) : 1; }

/* Bernstein coefficients of the polynomial with these values at these places in 0 .. 1: Gaussian elimination. */
static void interpolate(const double place[COEFFICIENTS], double value[COEFFICIENTS]) {
  double m[COEFFICIENTS][COEFFICIENTS];
  for (int i = 0; i < COEFFICIENTS; i++)
    for (int l = 0; l < COEFFICIENTS; l++)
      m[i][l] = bound_binomial(Q, l) * power(place[i], l) * power(1 - place[i], Q - l);
  for (int k = 0; k < COEFFICIENTS; k++) /* totally positive for ascending places: no pivots are needed */
    for (int i = k + 1; i < COEFFICIENTS; i++) {
      double by = m[i][k] / m[k][k];
      for (int l = k; l < COEFFICIENTS; l++) m[i][l] -= by * m[k][l];
      value[i] -= by * value[k];
    }
  for (int k = Q; k >= 0; k--) {
    for (int l = k + 1; l < COEFFICIENTS; l++) value[k] -= m[k][l] * value[l];
    value[k] /= m[k][k];
  }
}

/* A polynomial in Bernstein form as one of powers of 0 .. 1: coefficient k is q over k times the sum over l of (-1)^(k - l) (k over l) b_l. */
static BoundCourse powers_of(const double b[COEFFICIENTS]) {
  BoundCourse out = {.order = Q};
  for (int k = 0; k < COEFFICIENTS; k++) {
    double size = 0;
    for (int l = 0; l <= k; l++) {
      double term = bound_binomial(Q, k) * bound_binomial(k, l) * b[l];
      out.c[k] += (k - l) % 2 ? -term : term;
      size += fabs(term);
    }
    out.off[k] = 2 * COEFFICIENTS * DBL_EPSILON * size;
  }
  return out;
}

/* What two differ by at most on -1 .. 1. */
static double difference(const BoundCourse *one, const BoundCourse *other) {
  double sum = 0;
  int order = one->order > other->order ? one->order : other->order;
  for (int i = 0; i <= order; i++) {
    double c = (i <= one->order ? one->c[i] : 0) - (i <= other->order ? other->c[i] : 0);
    sum +=
        fabs(c) * (1 + 4 * DBL_EPSILON) + (i <= one->order ? one->off[i] : 0) + (i <= other->order ? other->off[i] : 0);
  }
  return sum * (1 + 1e-12);
}

/* a of a degree of freedom on an interval: a [q + 1]; returns the largest rest. row: of M^-1. */
static double fill_interval(const SimProblem *sim, const long double *row, double row_off, double from, double to,
                            double *a) {
  double place[COEFFICIENTS], rest = 0;
  for (int k = 0; k < COEFFICIENTS; k++) {
    place[k] = (1 - cos(PI * (2 * k + 1) / (2 * COEFFICIENTS))) / 2;
    a[k] = bound_course_at(sim, row, from + place[k] * (to - from));
  }
  interpolate(place, a);
  const BoundCourse whole = powers_of(a);
  for (long piece = bound_piece_at(sim, from); piece < sim->piece_count && piece_start(sim, piece) < to; piece++) {
    double start = piece_start(sim, piece), end = piece_start(sim, piece + 1);
    double first = fmax(from, start), last = fmin(to, end), middle = (first + last) / 2, half = (last - first) / 2;
    if (half <= 0) continue;
    const BoundCourse course = bound_course(sim, row, row_off, piece);
    const BoundCourse is = bound_course_shifted(&course, (middle - start) / (end - start), half / (end - start)),
                      taken = bound_course_shifted(&whole, (middle - from) / (to - from), half / (to - from));
    rest = fmax(rest, difference(&is, &taken));
  }
  return rest;
}

/* Whether an entry of M^-1 f is not 0 at all times. */
static bool is_moved(const SimProblem *sim, const long double *row) {
  for (long piece = 0; piece < sim->piece_count; piece++) {
    const BoundCourse course = bound_course(sim, row, 0, piece);
    for (int k = 0; k <= course.order; k++)
      if (course.c[k] != 0) return true;
  }
  return false;
}

static SimStatus fill(const SimProblem *sim, const BoundMesh *mesh, const long double *inverse, const double *off,
                      BoundDrift *drift) {
  size_t intervals = (size_t)mesh->intervals;
  for (int i = 0; i < sim->d; i++) drift->part[i] = is_moved(sim, inverse + i * sim->d) ? ++drift->parts : 0;
  size_t parts = (size_t)drift->parts;
  drift->a = calloc(intervals * (parts * (COEFFICIENTS + 1) + 1), sizeof *drift->a);
  if (!drift->a) return SIM_NO_MEMORY;
  drift->rest = drift->a + intervals * parts * COEFFICIENTS;
  drift->missed = drift->rest + intervals * parts;
  for (int i = 0; i < sim->d; i++)
    for (int k = 0; k < mesh->intervals && drift->part[i]; k++) {
      int at = k * drift->parts + drift->part[i] - 1;
      double *a = drift->a + at * COEFFICIENTS, from = mesh->time[k] * sim->end, to = mesh->time[k + 1] * sim->end;
      drift->rest[at] = fill_interval(sim, inverse + i * sim->d, off[i], from, to, a);
      drift->missed[k] += drift->rest[at] * (to - from);
      for (int l = 0; l < COEFFICIENTS; l++) drift->whole += fabs(a[l]) * (to - from) / COEFFICIENTS;
    }
  for (int k = 0; k < mesh->intervals; k++) drift->left += drift->missed[k];
  return SIM_OK;
}

SimStatus bound_drift_create(const SimProblem *sim, const BoundMesh *mesh, BoundDrift *drift) {
  size_t d = (size_t)sim->d;
  *drift = (BoundDrift){.part = malloc(d * sizeof *drift->part)};
  long double *inverse = malloc(d * d * sizeof *inverse + d * sizeof(double));
  SimStatus status = drift->part && inverse ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    double *off = (void *)(inverse + d * d);
    status = bound_invert(sim->d, sim->system.mass, inverse, off);
    if (status == SIM_OK) status = fill(sim, mesh, inverse, off, drift);
  }
  free(inverse);
  return status;
}

void bound_drift_clear(BoundDrift *drift) {
  free(drift->part);
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
      if (l < 0 || l > Q) continue;
      place->weight[(BOUND_VALUE + part) * BOUND_SPAN + n] =
          drift->a[at * COEFFICIENTS + l] * scale[i] * bound_mesh_product(mesh->degree, j, Q, l);
    }
    place->off[BOUND_VALUE + part] = drift->rest[at] * scale[i] * (1 + 4 * DBL_EPSILON);
  }
}
