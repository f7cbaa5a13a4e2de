/* Springs whose force is a law (sim/joint/springs.h), and thresholds that are (sim/joint/rise.h), along a motion: as long as an elongation e(s) stays in one piece of its law, h(e(s))
 * is a polynomial of a polynomial, whose coefficients follow those of x order by order. */
#ifndef SIM_EVENT_SPRING_SERIES_H
#define SIM_EVENT_SPRING_SERIES_H

#include "sim/event/event.h"
#include "sim/joint/springs.h"

/* Behind the places of springs: the elongations by which thresholds rise (sim/joint/rise.h), one of each dof. */
enum { SERIES_RISE = SIM_SPRING_PLACES, SERIES_PLACES };

/* Of one motion. Laws in a row: anchors [d], links [d], rises [d]; those that are not there have no piece. All owned. */
typedef struct SpringSeries {
  double *force; /* [POLYNOMIAL_ORDER + 2][d] G'h, N */
  double *about; /* [3d][SIM_PIECE_ORDER + 1] h about e at the segment's start, by its powers over the piece's width */
  double *power; /* [3d][SIM_PIECE_ORDER + 1][POLYNOMIAL_ORDER + 2] the series of these powers */
  double *
      way; /* [POLYNOMIAL_ORDER + 2][d] W of surfaces that move along the segment, m: springs are of x = y + W; else 0 */
  signed char *next; /* [3d] into which piece it goes where the segment ends: -1, 0, 1 from its own */
} SpringSeries;

/* Whether anything is a law of an elongation. */
static inline bool spring_series_wanted(const EventSystem *system) {
  return system->laws || system->problem->rise.pieces > 0;
}
/* NULL: no memory. */
SpringSeries *spring_series_create(int d);
void spring_series_destroy(SpringSeries *series); /* NULL: nothing */

/* motion->at.spring for motion->at.x. */
void spring_series_begin(const EventSystem *system, EventMotion *motion);
/* Where a segment begins, whose width is known: the way of surfaces that move. */
void spring_series_way(const EventSystem *system, EventMotion *motion);
/* The coefficient of an order of G'h, from x of that order and those below, [d] N; and that of the segment's thresholds where they rise. */
const double *spring_series_force(const EventSystem *system, EventMotion *motion, int order);
/* What the series of G'h, and of thresholds, differ by from h at the x that has passed `at` of the segment, N at most. */
double spring_series_gap(const EventSystem *system, const EventMotion *motion, double at);
/* Where the first e leaves its piece before *at, as parts of the segment: *at, and who goes where. Returns whether one does. */
bool spring_series_cross(const EventSystem *system, EventMotion *motion, double *at);
/* Into the next pieces. False: the law has none. */
bool spring_series_pass(const EventSystem *system, EventMotion *motion);
/* h'(e) as series of a part of the segment under way: [POLYNOMIAL_ORDER + 1][3d] N/m; of thresholds times slip - gamma, what the force of friction has of
 * it. */
void spring_series_slopes(const EventSystem *system, EventMotion *motion, double from, double part, double *slope);

/* sum [d][together] += factor times the coefficient `order` of (G'diag(slope)G + diag(slope)E) x, E the rows of the elongations that thresholds depend
 * on, or of its transpose: slope as above, of orders up to `known`; x of orders from 0 to `order`, [d][together] each. */
void spring_series_multiply(const EventSystem *system, bool transposed, int known, const double *slope, int order,
                            int together, const double *x, double factor, double *sum);
/* For each row of that matrix the sum of its magnitudes, over the whole part, at most: [d] N/m. */
void spring_series_bound(const EventSystem *system, int order, const double *slope, double *rows);

#endif
