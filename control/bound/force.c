/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/force.h"

#include "control/bound/course.h"
#include "control/bound/inverse.h"
#include "sim/base/pieces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bound_force_is_constant(const SimProblem *sim, double *f) {
  for (int i = 0; i < sim->d; i++) {
    double first = sim->pieces && sim->piece_count ? piece_coefficients(sim, 0)[i] : 0;
    if (f) f[i] = first;
    for (long k = 0; sim->pieces && k < sim->piece_count; k++)
      for (int order = 0; order <= piece_order(sim, k); order++)
        if (piece_coefficients(sim, k)[order * sim->d + i] != (order ? 0 : first)) return false;
  }
  return true;
}

/* Returns an upper bound of the root mean square of a polynomial on -1 .. 1. */
static double mean_above(const BoundCourse *entry) {
  double sum = 0, size = 0, off = 0;
  for (int i = 0; i <= entry->order; i++) {
    off += entry->off[i];
    for (int k = i % 2; k <= entry->order; k += 2) {
      sum += entry->c[i] * entry->c[k] / (i + k + 1);
      size += fabs(entry->c[i] * entry->c[k]) / (i + k + 1);
    }
  }
  return sqrt(fmax(0, sum) + 400 * DBL_EPSILON * size) * (1 + 1e-14) + off;
}

/* Adds integrals for one entry of B^-1 f, which is approximated by a line on an interval: over a part of the interval,
 * the integral of the squared entry to squares[0], and of the squared difference from the line to squares[1]. span:
 * start and end of this part, in which piece number `piece` of the force applies, then start and end of the interval.
 * whole: the entry of B^-1 f in this piece. g[0], g[m]: values of the line at both ends of the interval. */
static void add_part(const SimProblem *sim, const BoundCourse *whole, long piece, const double span[4], const double *g,
                     int m, double squares[2]) {
  double start = piece_start(sim, piece), width = piece_start(sim, piece + 1) - start;
  double a = span[0], b = span[1], from = span[2], to = span[3], middle = (a + b) / 2, half = (b - a) / 2;
  BoundCourse entry =
      bound_course_shifted(whole, (middle - start) / width, half / width, bound_course_wrong(sim->end, width));
  double mean = mean_above(&entry);
  squares[0] += (b - a) * mean * mean;
  double at = g[0] + (g[m] - g[0]) * (middle - from) / (to - from), slope = (g[m] - g[0]) * half / (to - from);
  entry.c[0] -= at;
  entry.c[1] -= slope;
  entry.order = entry.order > 1 ? entry.order : 1;
  double rounded = 16 * DBL_EPSILON * (1 + sim->end / (to - from)) * (fabs(g[0]) + fabs(g[m]));
  entry.off[0] += rounded + 4 * DBL_EPSILON * fabs(entry.c[0]);
  entry.off[1] += rounded + 4 * DBL_EPSILON * fabs(entry.c[1]);
  mean = mean_above(&entry);
  squares[1] += (b - a) * mean * mean;
}

/* Approximates entry j of B^-1 f by a line on each interval. The line interpolates the entry at the two points at which
 * the error for a parabola would be smallest. Also computes the smallest and largest value of the entry over time, and
 * adds to `squares` the integrals of the squared entry and of its squared difference from the line. */
static void fill_entry(const SimProblem *sim, const BoundMesh *mesh, const long double *inverse,
                       const double *inverse_off, int j, double weight, BoundForce *force, double squares[2]) {
  int m = sim->n_control;
  force->least[j] = INFINITY;
  force->most[j] = -INFINITY;
  for (int k = 0; k < mesh->intervals; k++) {
    double from = mesh->time[k] * sim->end, to = mesh->time[k + 1] * sim->end, middle = (from + to) / 2,
           apart = (to - from) / 2 / sqrt(3), *g = force->line + 2 * k * m + j;
    double left = bound_course_at(sim, inverse + j * m, middle - apart),
           right = bound_course_at(sim, inverse + j * m, middle + apart);
    g[0] = (left + right) / 2 - (right - left) / 2 * sqrt(3);
    g[m] = (left + right) / 2 + (right - left) / 2 * sqrt(3);
    double before = squares[1];
    for (long piece = bound_piece_at(sim, from); piece < sim->piece_count && piece_start(sim, piece) < to; piece++) {
      const BoundCourse entry = bound_course(sim, inverse + j * m, inverse_off[j], piece);
      const double span[4] = {fmax(from, piece_start(sim, piece)), fmin(to, piece_start(sim, piece + 1)), from, to};
      double reach = entry.off[0];
      if (span[1] <= span[0]) continue;
      add_part(sim, &entry, piece, span, g, m, squares);
      for (int order = 1; order <= entry.order; order++) reach += fabs(entry.c[order]) + entry.off[order];
      force->least[j] = fmin(force->least[j], entry.c[0] - reach * (1 + 1e-12));
      force->most[j] = fmax(force->most[j], entry.c[0] + reach * (1 + 1e-12));
    }
    force->missed[k] += weight * (squares[1] - before);
  }
}

/* Returns sqrt(sum_jk |N_jk| sqrt(s_j s_k)), an upper bound of the norm of a function of time with the weight N of J.
 * s_j are the integrals of its squared entries: squares[2 j + which]. */
static double norm_of(const CtlProblem *problem, const double *squares, int which) {
  double sum = 0;
  for (int j = 0; j < problem->p; j++)
    for (int k = 0; k < problem->p; k++)
      sum += fabs(problem->weight[j * problem->p + k]) * sqrt(squares[2 * j + which] * squares[2 * k + which]);
  return sqrt(sum) * (1 + 1e-12);
}

SimStatus bound_force_create(const CtlProblem *problem, const SimProblem *sim, const BoundMesh *mesh,
                             BoundForce *force) {
  *force = (BoundForce){.varies = !bound_force_is_constant(sim, NULL)};
  if (!force->varies) return SIM_OK;
  size_t m = (size_t)sim->n_control;
  long double *inverse = calloc(1, m * m * sizeof *inverse + 3 * m * sizeof(double));
  force->line = malloc((2 * (size_t)mesh->intervals * m + 2 * m + (size_t)mesh->intervals) * sizeof *force->line);
  SimStatus status = inverse && force->line ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    double *off = (void *)(inverse + m * m), *squares = off + m;
    force->least = force->line + 2 * (size_t)mesh->intervals * m;
    force->most = force->least + m;
    force->missed = force->most + m;
    memset(force->missed, 0, (size_t)mesh->intervals * sizeof *force->missed);
    status = bound_invert(sim->d, sim->control_matrix, inverse, off);
    for (int j = 0; j < sim->n_control && status == SIM_OK; j++)
      fill_entry(sim, mesh, inverse, off, j, problem->weight[j * sim->n_control + j], force, squares + 2 * j);
    force->norm = norm_of(problem, squares, 0);
    force->rest = norm_of(problem, squares, 1);
  }
  free(inverse);
  return status;
}

void bound_force_clear(BoundForce *force) {
  free(force->line);
  *force = (BoundForce){0};
}
