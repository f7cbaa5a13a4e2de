/* Energies of a segment, integrated exactly. */
#ifndef SIM_EVENT_ENERGY_H
#define SIM_EVENT_ENERGY_H

#include "sim/event/event.h"

/* Segment.spent: the work of f + B u, what friction and damping take, the work of surfaces that move. */
void energy_expand(const EventSystem *system, EventMotion *motion);

#endif
