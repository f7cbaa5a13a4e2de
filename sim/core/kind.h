/* A kind of model: one file kind.c of a room that fills a SimKindOps, and one line of the table in
 * sim/setup/kinds.c. */
#ifndef SIM_KIND_H
#define SIM_KIND_H

#include "sim/sim.h"

typedef struct SimKindOps {
  /* Tells the mistakes in what is the kind's own (B, time and the scheme have been checked); fills *bounds when there are
   * none anywhere (before: mistakes told so far). Returns SIM_OK, SIM_BAD_PROBLEM (told) or SIM_NO_MEMORY. */
  SimStatus (*check)(const SimProblem *problem, const SimReport *report, int before, SimBounds *bounds);
  bool has_multiplier;            /* lambda is a result */
  int n_extra;                    /* values of SimStep.extra */
  const char *const *extra;       /* [n_extra] their names, for column headers */
  const char *const *extra_units; /* [n_extra] */
} SimKindOps;

#endif
