/* Energies of a segment, integrated exactly. */
#ifndef SIM_EVENT_ENERGY_H
#define SIM_EVENT_ENERGY_H

#include "sim/event/event.h"

/* The work of f + B u, and what friction and damping take, since the segment began, as polynomials of order 2 order + 1. */
void energy_expand(const EventSystem *system, EventMotion *motion);

#endif
