/* SPDX-License-Identifier: BSD-2-Clause */
/* One entry of G f as a polynomial of time, for the force f(t) of a problem and a given matrix G. The force consists of
 * polynomial pieces, each for an interval of time; each polynomial here belongs to one of them. Each coefficient has an
 * error bound. */
#ifndef CONTROL_BOUND_COURSE_H
#define CONTROL_BOUND_COURSE_H

#include "sim/internal.h"

#include <float.h>

typedef struct BoundCourse {
  int order;
  double c[SIM_PIECE_ORDER + 1], off[SIM_PIECE_ORDER + 1];
} BoundCourse;

/* Returns the scalar product of `row` and the force as a polynomial, for one piece of the force, in a variable that
 * runs from 0 to 1 over the piece. row [d]: factors. row_off: error bound of the entries of `row`. */
BoundCourse bound_course(const SimProblem *sim, const long double *row, double row_off, long piece);
/* Returns a polynomial in a new variable s, -1 <= s <= 1: the old variable is middle + half s. wrong: upper bound of
 * the rounding errors of `middle` and `half`. */
BoundCourse bound_course_shifted(const BoundCourse *course, double middle, double half, double wrong);
/* Returns an error bound of the quotient (t1 - t2)/width for times between 0 and `end`. */
static inline double bound_course_wrong(double end, double width) { return 4 * DBL_EPSILON * end / width; }

/* returns the index of the piece of the force that contains time t */
long bound_piece_at(const SimProblem *sim, double t);
/* returns the approximate product of `row` and the force f(t) at time t */
double bound_course_at(const SimProblem *sim, const long double *row, double t);

#endif
