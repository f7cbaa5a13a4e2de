/* Pieces of a force, one entry of G f: a polynomial on a part of time, each coefficient with what it may be off by. */
#ifndef CONTROL_BOUND_COURSE_H
#define CONTROL_BOUND_COURSE_H

#include "sim/sim.h"

#include <float.h>

typedef struct BoundCourse {
  int order;
  double c[SIM_PIECE_ORDER + 1], off[SIM_PIECE_ORDER + 1];
} BoundCourse;

/* On a piece, of its variable 0 .. 1. row [d] of G; row_off: by how much its entries may be off. */
BoundCourse bound_course(const SimProblem *sim, const long double *row, double row_off, long piece);
/* The same of s in -1 .. 1, the variable being middle + half s, both of which may be off by `wrong`. */
BoundCourse bound_course_shifted(const BoundCourse *course, double middle, double half, double wrong);
/* What these are off by: of a time less another, up to end, over a width. */
static inline double bound_course_wrong(double end, double width) { return 4 * DBL_EPSILON * end / width; }

long bound_piece_at(const SimProblem *sim, double t);                            /* the piece in which a time is */
double bound_course_at(const SimProblem *sim, const long double *row, double t); /* its value at a time, about */

#endif
