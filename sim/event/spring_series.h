/* SPDX-License-Identifier: BSD-2-Clause */
/* Spring laws (sim/joint/springs.h) and thresholds that depend on an elongation (sim/joint/rise.h) along a motion. As
 * long as an elongation e(s) stays in one piece of its law, h(e(s)) is a polynomial of a polynomial. Its coefficients
 * are computed order by order from those of x. */
#ifndef SIM_EVENT_SPRING_SERIES_H
#define SIM_EVENT_SPRING_SERIES_H

#include "sim/event/event.h"
#include "sim/joint/springs.h"

/* Groups of laws: springs to the ground, springs between neighbours (SimSpringPlace), and elongations that thresholds
 * depend on (sim/joint/rise.h). Each group has at most one law for each dof. */
enum { SERIES_RISE = SIM_SPRING_PLACES, SERIES_PLACES };

/* Series of one motion. Arrays [3d] have an entry for each law: springs to the ground (anchors) [d], springs between
 * neighbours (links) [d], thresholds [d]. All arrays are owned. */
typedef struct SpringSeries {
  double *force; /* [POLYNOMIAL_ORDER + 2][d] series of the forces of springs with a law on the dofs, in N */
  /* [3d][SIM_PIECE_ORDER + 1] coefficients of the law h(e), a force or threshold, about the elongation e at the
   * segment's start, by powers of the change of e over the width of the law's piece */
  double *about;
  double *power; /* [3d][SIM_PIECE_ORDER + 1][POLYNOMIAL_ORDER + 2] series of these powers of the change of e */
  double *way;   /* [POLYNOMIAL_ORDER + 2][d] series of the displacement W of moving surfaces, in m, since springs act
                  * on x = y + W; 0 if no surface moves */
  signed char *next; /* [3d] change of the index of each law's piece at the end of the segment: -1, 0 or 1 */
} SpringSeries;

/* Whether any force or threshold is a law of an elongation. */
static inline bool spring_series_wanted(const EventSystem *system) {
  return system->laws || system->problem->rise.pieces > 0;
}
/* Creates the series of a motion of d dofs; NULL: no memory. */
SpringSeries *spring_series_create(int d);
void spring_series_destroy(SpringSeries *series); /* may be NULL */

/* Sets motion->at.spring, the pieces of the laws, for the position motion->at.x. */
void spring_series_begin(const EventSystem *system, EventMotion *motion);
/* Computes the series of the displacement W of moving surfaces over a segment, once its width is known. */
void spring_series_way(const EventSystem *system, EventMotion *motion);
/* Returns coefficient `order` of the spring forces G'h, [d] N, from the coefficients of x up to that order. Also
 * computes this coefficient of thresholds that depend on position. */
const double *spring_series_force(const EventSystem *system, EventMotion *motion, int order);
/* Returns the largest difference, in N, at the fraction `at` of the segment, between the series of spring forces and
 * thresholds and their laws. */
double spring_series_gap(const EventSystem *system, const EventMotion *motion, double at);
/* Finds the first time before *at (both are fractions of the segment) at which an elongation leaves its piece of the
 * law: sets *at and `next`. Returns whether there is such a time. */
bool spring_series_cross(const EventSystem *system, EventMotion *motion, double *at);
/* Continues each law in the next piece if its elongation has left the piece. Returns false if an elongation leaves the
 * last piece of its law. */
bool spring_series_pass(const EventSystem *system, EventMotion *motion);
/* Computes the slopes h'(e) as series over a part of the current segment: [POLYNOMIAL_ORDER + 1][3d] N/m. The slopes of
 * thresholds are multiplied by slip - gamma, which gives the derivative of the friction force. */
void spring_series_slopes(const EventSystem *system, EventMotion *motion, double from, double part, double *slope);

/* Adds to sum [d][together] factor times coefficient `order` of (G'diag(slope)G + diag(slope)E) x, or of its transpose
 * times x. G: matrix of the springs' elongations; E: rows of the elongations that thresholds depend on. slope: result
 * of spring_series_slopes, up to order `known`. x: orders 0 to `order`, [d][together] each. */
void spring_series_multiply(const EventSystem *system, bool transposed, int known, const double *slope, int order,
                            int together, const double *x, double factor, double *sum);
/* Computes an upper bound of the sum of magnitudes in each row of the matrix of spring_series_multiply over the whole
 * part of the segment: rows [d] N/m. */
void spring_series_bound(const EventSystem *system, int order, const double *slope, double *rows);

#endif
