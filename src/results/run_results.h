/* The results directory of a run, read back for pictures and reports. */
#ifndef SRC_RUN_RESULTS_H
#define SRC_RUN_RESULTS_H

#include "src/base/labels.h"
#include "src/results/events.h"
#include "src/results/table.h"

#include <jansson.h>
#include <stdbool.h>

enum { SNAPSHOTS = 6 };

extern const char RUN_OF_PROGRAM[]; /* the kind of the results of `stiction search`, which have no motion */

typedef struct RunResults {
  const char *directory;    /* as given; borrowed */
  Diagnostics *diagnostics; /* where what is wrong with it is put; borrowed */
  json_t *summary;
  const char *kind;  /* of the model; borrowed from summary, as is the title */
  const char *title; /* NULL: the problem has none */
  int d;             /* degrees of freedom */
  Labels labels;     /* their names, and units; the columns of the tables are x1, x2, .. with or without */
  bool refined;      /* trajectory, energy and events are of the refined answer, in the folder `refined` */
  Table trajectory;  /* of trajectory.csv or trajectory.h5; empty where there is neither */
  Table
      beside; /* of a refined answer the grid's own motion, else exact/trajectory.csv, the motion itself; empty: none */
  int stride; /* of the dofs in trajectory: 1, 1 + stride, .. */
  double spacing; /* of a string's nodes, m: dof i is at i spacing; 0: no string */
  Table energy;
  Table events;    /* intervals (dof,from,to,state), or counts (step,t,stick,slip+,slip-) where there are many dofs */
  bool intervals;  /* it is the former */
  Table slips;     /* of events.h5, where there are many dofs; empty where there is none */
  Table sizes;     /* of its events: size, m, and count, how many are at least as large */
  Table snapshots; /* of a string: s, and x at SNAPSHOTS instants; else empty */
  Table search;    /* empty for a simulation */
  Table fit;       /* of fit.csv: t, and three columns for each that was measured; else empty */
  Table scenarios; /* of scenarios.csv; else empty */
} RunResults;

/* Reads DIR: summary.json must be there, and what else there is must be whole. Returns 0, or EXIT_USAGE or
 * EXIT_INTERNAL after telling; clear it either way. */
int run_results_read(RunResults *run, const char *directory, Diagnostics *diagnostics);
void run_results_clear(RunResults *run);

/* The member at a dotted path (outcome.x_T), NULL if there is none. */
json_t *run_results_member(const RunResults *run, const char *path);

/* Tells that a table of the run has no such column; returns EXIT_USAGE. */
int run_results_lacks(const RunResults *run, const Table *table, const char *column);

/* Whether the run was stopped on a signal, so that it can be gone on with. */
bool run_results_stopped(const RunResults *run);

/* How many dofs the trajectory shows. */
int run_results_shown(const RunResults *run);

/* How long a dof has been in a state, s; intervals: their number. Where events are intervals. */
double run_results_time_in(const RunResults *run, int dof, int state, long *intervals);

#endif
