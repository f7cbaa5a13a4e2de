/* The results directory of a run, read back for pictures and reports. */
#ifndef SRC_RUN_RESULTS_H
#define SRC_RUN_RESULTS_H

#include "src/table.h"

#include <jansson.h>

/* What stands in the column `state` of events.csv, as table_read numbers it. */
enum { STATE_SLIP_BACK, STATE_STICK, STATE_SLIP_ON, STATE_CONTACT };

typedef struct RunResults {
  const char *directory; /* as given; borrowed */
  json_t *summary;
  const char *kind;  /* of the model; borrowed from summary, as is the title */
  const char *title; /* NULL: the problem has none */
  int d;             /* degrees of freedom */
  Table trajectory;  /* empty where it has not been written */
  Table energy;
  Table events;
  Table search; /* empty for a simulation */
} RunResults;

/* Reads DIR: summary.json must be there, and what else there is must be whole. Returns 0, or EXIT_USAGE or
 * EXIT_INTERNAL after telling; clear it either way. */
int run_results_read(RunResults *run, const char *directory);
void run_results_clear(RunResults *run);

/* The member at a dotted path (outcome.x_T), NULL if there is none. */
json_t *run_results_member(const RunResults *run, const char *path);

/* How long a dof has been in a state, s; intervals: their number. */
double run_results_time_in(const RunResults *run, int dof, int state, long *intervals);

#endif
