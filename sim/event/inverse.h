/* Inverses of parts of the mass matrix. */
#ifndef SIM_EVENT_INVERSE_H
#define SIM_EVENT_INVERSE_H

#include "sim/event/event.h"

/* (M_SS)^-1, of EventSystem.form, S: a bit a dof; [d][d], zero elsewhere. Stands until INVERSES others have been asked for. */
const double *event_inverse(const EventSystem *system, EventInverses *inverses, uint64_t set);

#endif
