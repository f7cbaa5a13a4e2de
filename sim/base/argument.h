/* Invalid arguments of public functions: SIM_BAD_ARGUMENT, and its text. */
#ifndef SIM_ARGUMENT_H
#define SIM_ARGUMENT_H

#include "sim/sim.h"

/* Stores, for sim_status_text in this thread, the function, the invalid argument and the reason; static texts. Returns
 * SIM_BAD_ARGUMENT. */
SimStatus argument_refuse(const char *function, const char *argument, const char *why);
/* Returns the stored text: "sim_rollout: work is NULL". */
const char *argument_refused(void);

/* Returns from a function of type SimStatus if an argument is invalid. */
#define ARGUMENT(good, name, why)                                                                                      \
  do {                                                                                                                 \
    if (!(good)) return argument_refuse(__func__, name, why);                                                          \
  } while (0)
#define ARGUMENT_THERE(argument) ARGUMENT((argument) != NULL, #argument, "is NULL")

#endif
