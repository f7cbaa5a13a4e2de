/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact integrals of the energies of a segment. */
#ifndef SIM_EVENT_ENERGY_H
#define SIM_EVENT_ENERGY_H

#include "sim/event/event.h"

/* Computes segment.spent: work of f + B u, dissipation by friction and damping, work of moving surfaces. */
void energy_expand(const EventSystem *system, EventMotion *motion);

/* These functions compute coefficient `order` of a force, [d] N: energy_force that of f + B u, and energy_resistance
 * that of D v + C (lambda - gamma) for dofs that move. */
void energy_force(const EventSystem *system, const EventMotion *motion, int order, double *force);
void energy_resistance(const EventSystem *system, const EventMotion *motion, int order, double *resistance);

/* Adds the work, in J, of one term of a force to `into`: width times the integral from 0 to s of velocity . force
 * s^order, as a series in s on 0..1. force [d]: coefficient of the term s^order; velocity [last + 1][d]. */
void energy_add(int d, double width, int last, const double *velocity, int order, const double *force, double *into);

#endif
