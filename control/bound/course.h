/* A piece of a force f(t): one entry of G f, for a given matrix G, as a polynomial of time. It holds during one piece
 * of the force. Each coefficient has an error bound. */
#ifndef CONTROL_BOUND_COURSE_H
#define CONTROL_BOUND_COURSE_H

#include "sim/internal.h"

#include <float.h>

typedef struct BoundCourse {
  int order;
  double c[SIM_PIECE_ORDER + 1], off[SIM_PIECE_ORDER + 1];
} BoundCourse;

/* Returns the polynomial of a piece in its variable 0 .. 1. row [d]: row of G. row_off: error bound of its entries. */
BoundCourse bound_course(const SimProblem *sim, const long double *row, double row_off, long piece);
/* Returns the same polynomial in s, -1 <= s <= 1, where its variable is middle + half s. Both numbers may have an error
 * of up to `wrong`. */
BoundCourse bound_course_shifted(const BoundCourse *course, double middle, double half, double wrong);
/* Returns an error bound of the quotient (t1 - t2)/width for times between 0 and `end`. */
static inline double bound_course_wrong(double end, double width) { return 4 * DBL_EPSILON * end / width; }

/* returns the index of the piece of the force that contains time t */
long bound_piece_at(const SimProblem *sim, double t);
/* returns the approximate value of row f(t) at time t */
double bound_course_at(const SimProblem *sim, const long double *row, double t);

#endif
