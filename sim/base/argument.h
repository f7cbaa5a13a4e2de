/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores the texts of invalid arguments of public functions (SIM_BAD_ARGUMENT) and of errors of problems
 * (SIM_BAD_PROBLEM). */
#ifndef SIM_ARGUMENT_H
#define SIM_ARGUMENT_H

#include "sim/internal.h"

/* Stores, for stiction_status_text in this thread, the function, the invalid argument and the reason. Returns
 * SIM_BAD_ARGUMENT. */
SimStatus argument_refuse(const char *function, const char *argument, const char *why);
/* Stores "FUNCTION: KEY: .." for stiction_status_text in this thread, with a formatted reason. Returns false. */
bool argument_refuse_key(const char *function, const char *key, const char *format, ...);
/* Returns the stored text: "stiction_rollout: work is NULL". */
const char *argument_refused(void);

/* Returns a report that stores the first error of a problem for stiction_status_text(SIM_BAD_PROBLEM) in this thread.
 * kept: set to true when an error has been stored; it must outlive the report. */
SimReport argument_first_error(bool *kept);
/* Report for a public function with an argument `to`, a report that may be NULL. It stores the first error of a
 * problem, and passes each error on to `to`. If `to` already stores errors, it is returned as it is. FirstError and
 * `to` must outlive the report. */
typedef struct FirstError {
  const SimReport *to;
  bool kept;
} FirstError;
SimReport argument_keep_first(FirstError *first, const SimReport *to);
/* Returns the stored error: "the problem is not valid: model.mass: ..". */
const char *argument_invalid(void);

/* Returns SIM_BAD_ARGUMENT from the calling function if an argument is invalid. */
#define ARGUMENT(good, name, why)                                                                                      \
  do {                                                                                                                 \
    if (!(good)) return argument_refuse(__func__, name, why);                                                          \
  } while (0)
#define ARGUMENT_THERE(argument) ARGUMENT((argument) != NULL, #argument, "is NULL")

#endif
