/* What every scheme `event` takes. */
#ifndef SIM_EVENT_PARAMETERS_H
#define SIM_EVENT_PARAMETERS_H

#include "sim/parameter.h"

typedef struct EventParameters {
  double tolerance;
  long max_events;
} EventParameters;

extern const SimParameter event_parameters[];

#endif
