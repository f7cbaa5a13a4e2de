/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/bound/course.h"

#include "sim/base/pieces.h"

#include <float.h>
#include <math.h>

/* maximum number of roundings per coefficient of a polynomial, besides those of the sum over the dofs */
enum { OPERATIONS = 64 };

BoundCourse bound_course(const SimProblem *sim, const long double *row, double row_off, long piece) {
  int d = sim->d;
  BoundCourse course = {.order = piece_order(sim, piece)};
  for (int order = 0; order <= course.order; order++) {
    const double *f = piece_coefficients(sim, piece) + order * d;
    double size = 0, reach = 0;
    for (int i = 0; i < d; i++) {
      course.c[order] += (double)(row[i] * f[i]);
      size += fabs((double)row[i] * f[i]);
      reach += fabs(f[i]);
    }
    course.off[order] = row_off * reach + (d + 2) * DBL_EPSILON * size;
  }
  return course;
}

/* Substitutes middle + half s for the variable of the polynomial, by Horner's rule. The same rule for the absolute
 * values of the coefficients gives the error bound. */
BoundCourse bound_course_shifted(const BoundCourse *course, double middle, double half, double wrong) {
  BoundCourse out = {.order = course->order};
  double size[SIM_PIECE_ORDER + 1] = {0}, off[SIM_PIECE_ORDER + 1] = {0};
  for (int k = course->order; k >= 0; k--) {
    for (int i = course->order; i >= 0; i--) {
      out.c[i] = out.c[i] * middle + (i ? out.c[i - 1] * half : 0);
      size[i] = size[i] * fabs(middle) + (i ? size[i - 1] * half : 0);
      off[i] = off[i] * fabs(middle) + (i ? off[i - 1] * half : 0);
    }
    out.c[0] += course->c[k];
    size[0] += fabs(course->c[k]);
    off[0] += course->off[k];
  }
  double steep = 0; /* upper bound of the polynomial's slope on 0 .. 1 and slightly beyond, where times with errors
                     * may lie */
  for (int k = 1; k <= course->order; k++) steep += k * fabs(course->c[k]);
  for (int i = 0; i <= out.order; i++) out.off[i] = off[i] * (1 + 1e-12) + OPERATIONS * DBL_EPSILON * size[i];
  out.off[0] += 3 * wrong * steep;
  return out;
}

static double value_at(const BoundCourse *course, double s) {
  double sum = 0;
  for (int k = course->order; k >= 0; k--) sum = sum * s + course->c[k];
  return sum;
}

long bound_piece_at(const SimProblem *sim, double t) {
  long piece = 0, behind = sim->piece_count;
  while (behind - piece > 1) {
    long middle = piece + (behind - piece) / 2;
    *(piece_start(sim, middle) <= t ? &piece : &behind) = middle;
  }
  return piece;
}

double bound_course_at(const SimProblem *sim, const long double *row, double t) {
  long piece = bound_piece_at(sim, t);
  BoundCourse course = bound_course(sim, row, 0, piece);
  double start = piece_start(sim, piece);
  return value_at(&course, (t - start) / (piece_start(sim, piece + 1) - start));
}
