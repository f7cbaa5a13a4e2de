/* Energies of a segment, integrated exactly. */
#ifndef SIM_EVENT_ENERGY_H
#define SIM_EVENT_ENERGY_H

#include "sim/event/event.h"

/* Segment.spent: the work of f + B u, what friction and damping take, the work of surfaces that move. */
void energy_expand(const EventSystem *system, EventMotion *motion);

/* Of an order, [d] N: f + B u, and D v + C (lambda - gamma) of dofs that move. */
void energy_force(const EventSystem *system, const EventMotion *motion, int order, double *force);
void energy_resistance(const EventSystem *system, const EventMotion *motion, int order, double *resistance);

/* into += width times the integral of velocity . force as a series, J: the force of which `force` [d] is the order `order`; velocity [last + 1][d]. */
void energy_add(int d, double width, int last, const double *velocity, int order, const double *force, double *into);

#endif
