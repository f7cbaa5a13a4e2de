/* The searches among a sweep's runs. The room search, which stands above this one, carries them out: swept_search.c. */
#ifndef SRC_STUDY_SWEEP_SEARCHES_H
#define SRC_STUDY_SWEEP_SEARCHES_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/problem.h"

typedef struct SweepSearches {
  /* Prepares the search of a problem, which is taken over, up to its first evaluation. options, diagnostics: borrowed until its end. *code: an exit code. Returns
   * the search, which `end` takes, whatever the code is; NULL: no memory. */
  void *(*begin)(const Options *options, Problem *problem, Diagnostics *diagnostics, int *code);
  /* Drives it in this process. simulating: s that its simulations have taken. Returns as ctl_drive_serial. */
  int (*drive)(void *search, double *simulating);
  /* Adds it to a pool, or returns SIM_BAD_PROBLEM where no message holds its model, SIM_NO_MEMORY. */
  SimStatus (*add)(void *search, CtlPool *pool, CtlPoolJob **job);
  /* Ends it, after the drive, with its result, or with the exit code of a beginning that has failed. *summary: a new reference, or NULL;
   * *robust: whether its objective is other than nominal. Returns its exit code. */
  int (*end)(void *search, int begun, int drive, json_t **summary, bool *robust);
} SweepSearches;

#endif
