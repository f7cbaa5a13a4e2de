/* Dofs without mass, of a chain the first `massless` ones, of friction any set P with A_PP positive definite, which obey a balance of forces,
 *
 *     f + B u - A x in c_i sgn(v_i).
 *
 * Those that slide have (A x)_i = (f + B u)_i - c_i slip_i: x is a function of time and of the masses' places, and its
 * coefficients are found one order ahead of those, of a chain in O(d) and without subtractions (chain_solve_loose),
 *
 *     A_PP x_{k+1} = b = (f + B u)_{k+1} - A_PM (x_{k+1} of masses).
 *
 * Who slides is decided by velocities, which jump at events: one at its threshold may go one way, y = x_{k+1} being the minimum of
 * y'A y/2 - b'y: of friction this joins the minimum that decides of masses, as A_PP stands in EventSystem.form. Where the load jumps they move at once, by the least of d'A d/2 + (A x - f - B u)'d + sum c_i |d_i|. */
#ifndef SIM_EVENT_MASSLESS_H
#define SIM_EVENT_MASSLESS_H

#include "sim/event/decision.h"

/* After expansion_begin, before a decision: moves those that the load at motion->at.t, if it has jumped, moves. Sets the slip of
 * those at their threshold to the way that this lets them go, of others to 0. SIM_OK, SIM_NON_FINITE or SIM_NOT_CONVERGED. */
SimStatus massless_settle(const EventSystem *system, EventMotion *motion);

/* b of an order, with x and v of masses known up to it, in motion->b; size is kept from order to order. */
void massless_load(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);

/* Of a chain, after massless_load: the minimum, in motion->y, b - A y in reaction, and doubt. */
void massless_rates(const EventSystem *system, EventMotion *motion, const Decision *decision);

/* v of this order from x of the next, y [d]; before expansion_advance. */
void massless_advance(const EventSystem *system, EventMotion *motion, int order, const double *y);

/* All orders of all dofs until two in a row are small, as a part of the largest ones. Returns whether they have become so. */
bool massless_expand(const EventSystem *system, EventMotion *motion, double small);

#endif
