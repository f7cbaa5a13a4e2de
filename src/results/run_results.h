/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the results directory of a run for figures and reports. */
#ifndef SRC_RUN_RESULTS_H
#define SRC_RUN_RESULTS_H

#include "src/base/labels.h"
#include "src/results/events.h"
#include "src/results/table.h"

#include <jansson.h>
#include <stdbool.h>

enum { SNAPSHOTS = 6 };

extern const char RUN_OF_PROGRAM[]; /* value of `kind` for results of `stiction search`, which have no motion */

typedef struct RunResults {
  const char *directory;    /* path as the caller gave it; borrowed */
  Diagnostics *diagnostics; /* receives errors; borrowed */
  json_t *summary;
  const char *kind;  /* kind of the model; borrowed from summary, like title */
  const char *title; /* NULL: no title */
  int d;             /* number of degrees of freedom */
  Labels labels;     /* names and units; the columns of the tables are called x1, x2, .. even if there are names */
  bool refined;      /* whether trajectory, energy and events are those of the refined answer, from the folder
                      * `refined` */
  Table trajectory;  /* from trajectory.csv or trajectory.h5; empty if both are missing */
  /* A second motion for comparison: for a refined answer the motion on the grid, otherwise the exact motion
   * (exact/trajectory.csv). Empty: none. */
  Table beside;
  int stride;     /* the trajectory has the dofs 1, 1 + stride, 1 + 2 stride, .. */
  double spacing; /* distance of a string's nodes, in m, so that dof i is at i spacing; 0: the model is no string */
  Table energy;
  Table events;    /* intervals (dof,from,to,state) or, with many dofs, numbers of dofs (step,t,stick,slip+,slip-) */
  bool intervals;  /* whether `events` has intervals */
  Table slips;     /* slips from events.h5, with many dofs; otherwise empty */
  Table sizes;     /* sizes of the events of slips: size, in m, and count, the number of events at least as large */
  Table snapshots; /* for a string: s, and x at SNAPSHOTS times; otherwise empty */
  Table search;    /* rows of search.csv; empty for a simulation */
  Table fit;       /* from fit.csv, for a run of `identify`: t, and three columns for each measured quantity; otherwise
                    * empty */
  Table scenarios; /* from scenarios.csv; otherwise empty */
} RunResults;

/* Reads DIR. summary.json is required; other files are optional but must be complete. Returns 0; EXIT_USAGE or
 * EXIT_INTERNAL after reporting an error. Clear run in each case. */
int run_results_read(RunResults *run, const char *directory, Diagnostics *diagnostics);
void run_results_clear(RunResults *run);

/* Returns the member of the summary at a dotted path, e.g. outcome.x_T; NULL if there is none. */
json_t *run_results_member(const RunResults *run, const char *path);

/* Reports that a table of the run lacks a column; returns EXIT_USAGE. */
int run_results_lacks(const RunResults *run, const Table *table, const char *column);

/* Returns whether a signal stopped the run, so that it can be resumed. */
bool run_results_stopped(const RunResults *run);

/* Returns the number of dofs in the trajectory. */
int run_results_shown(const RunResults *run);

/* Returns the total time of a dof in a state, in s. intervals: set to the number of its intervals. `events` must have
 * intervals. Intervals that are as short as errors of times are left out. */
double run_results_time_in(const RunResults *run, int dof, int state, long *intervals);
/* Returns the number of intervals of stick and slip of a dof, of those that run_results_time_in counts; 0 if it has no
 * friction. `events` must have intervals. */
long run_results_friction_intervals(const RunResults *run, int dof);

#endif
