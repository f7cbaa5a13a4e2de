/* SPDX-License-Identifier: BSD-2-Clause */
/* Results of calls. Included by sim/sim.h. */
#ifndef SIM_STATUS_H
#define SIM_STATUS_H

#include "sim/api.h"

SIM_API_BEGIN

/* Result of a call. */
typedef enum SimStatus {
  SIM_OK = 0,            /* success */
  SIM_NOT_CONVERGED,     /* the friction problem of a step was not solved to its tolerance */
  SIM_NON_FINITE,        /* a state is not a finite number */
  SIM_EVENTS_ACCUMULATE, /* more events than the scheme `event` allows */
  SIM_OUT_OF_RANGE,      /* a spring is longer or shorter than the range of its law */
  SIM_RESIDUAL_LARGE,    /* an examined motion by `event` does not satisfy its equation (SimResidual) */
  SIM_ENERGY_OPEN,       /* the energy balance of an observed rollout does not close (SIM_CLOSURE) */
  SIM_NO_MEMORY,         /* out of memory */
  SIM_NOT_FINISHED,      /* no result in time; only functions that drive a search return it, simulations never do */
  SIM_BAD_ARGUMENT,      /* an argument is NULL, out of range or does not fit the others; nothing was done */
  SIM_BAD_PROBLEM,       /* the problem is invalid; the SimReport has received the reasons */
  SIM_CANCELLED,         /* a stop request ended the evaluation; in a search this point then has no outcome */
  SIM_TOO_LONG,          /* a rollout took more work than SimInterrupt.most */
  SIM_SLIDES_ALONG_KINK  /* the motion on both sides of a kink (sign, ?: ..) of its equations leads back to the kink */
} SimStatus;

/* Returns a short English phrase for a status; static storage. For SIM_BAD_ARGUMENT the phrase names the function and
 * the argument or key of this thread's last such call. For SIM_BAD_PROBLEM of stiction_simulate,
 * stiction_problem_finalize, stiction_model_create and the readers of problem_file.h it contains the first error. */
const char *stiction_status_text(SimStatus status);

/* Receives the errors that a check finds. key: dotted path, for example "model.mass". Both texts are valid during the
 * call. */
typedef struct SimReport {
  void *context;                                                      /* argument of complain; borrowed */
  void (*complain)(void *context, const char *key, const char *text); /* called for each error */
} SimReport;

SIM_API_END

#endif
