/* Arguments of public functions that are not what they may be: SIM_BAD_ARGUMENT, and which. */
#ifndef SIM_ARGUMENT_H
#define SIM_ARGUMENT_H

#include "sim/sim.h"

/* Keeps, for sim_status_text in this thread, which function has refused which argument, and why; texts are static. Returns SIM_BAD_ARGUMENT. */
SimStatus argument_refuse(const char *function, const char *argument, const char *why);
/* "sim_rollout: work is NULL". */
const char *argument_refused(void);

/* Has a function that returns a SimStatus return at once where an argument is not good. */
#define ARGUMENT(good, name, why)                                                                                      \
  do {                                                                                                                 \
    if (!(good)) return argument_refuse(__func__, name, why);                                                          \
  } while (0)
#define ARGUMENT_THERE(argument) ARGUMENT((argument) != NULL, #argument, "is NULL")

#endif
