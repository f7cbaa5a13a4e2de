/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the results directory of a run for figures and reports. */
#ifndef SRC_RUN_RESULTS_H
#define SRC_RUN_RESULTS_H

#include "src/base/labels.h"
#include "src/results/events.h"
#include "src/results/table.h"

#include <jansson.h>
#include <stdbool.h>

/* number of times at which the shape of a string is drawn */
enum { SNAPSHOTS = 6 };

extern const char RUN_OF_PROGRAM[]; /* value of `kind` in results of `stiction search`, which have no motion */

typedef struct RunResults {
  const char *directory;    /* path as passed by the caller; borrowed */
  Diagnostics *diagnostics; /* receives errors; borrowed */
  json_t *summary;
  const char *kind;  /* kind of the model; borrowed from summary, as is title */
  const char *title; /* NULL: no title */
  int d;             /* number of degrees of freedom */
  Labels labels;     /* names and units; columns of the tables below are called x1, x2, .. even if the degrees of
                      * freedom have names */
  bool refined;      /* whether trajectory, energy and events are those of the refined control, read from the folder
                      * `refined` */
  Table trajectory;  /* table from trajectory.csv or trajectory.h5; empty if both files are missing */
  /* A second motion for comparison. With a refined control it is the search's motion with time steps; otherwise the
   * exact motion (exact/trajectory.csv). Empty: there is none. */
  Table beside;
  int stride;     /* the trajectory has only the degrees of freedom 1, 1 + stride, 1 + 2 stride, .. */
  double spacing; /* distance of the nodes of a string, in m, so that degree of freedom i is at i spacing; 0: the model
                   * is not a string */
  Table energy;
  Table events;    /* table of intervals (dof,from,to,state) or, with many degrees of freedom, of numbers of them in
                    * each state (step,t,stick,slip+,slip-) */
  bool intervals;  /* whether `events` is a table of intervals */
  Table slips;     /* table of slips from events.h5, if there are many degrees of freedom; otherwise empty */
  Table sizes;     /* distribution of event sizes; columns: size, in m, and count, the number of events that are at
                    * least as large */
  Table snapshots; /* for a string: column s, and columns of x at SNAPSHOTS times; otherwise empty */
  Table search;    /* rows of search.csv; empty for a simulation */
  Table fit;       /* table from fit.csv of a run of `identify`: t, and three columns for each measured quantity;
                    * otherwise empty */
  Table scenarios; /* table from scenarios.csv; otherwise empty */
} RunResults;

/* Reads a results directory. summary.json is required; other files may be missing but must be complete. Returns 0;
 * EXIT_USAGE or EXIT_INTERNAL after reporting an error. The caller clears run in each case. */
int run_results_read(RunResults *run, const char *directory, Diagnostics *diagnostics);
void run_results_clear(RunResults *run);

/* Returns the member of the summary at a dotted path, e.g. outcome.x_T; NULL if there is none. */
json_t *run_results_member(const RunResults *run, const char *path);

/* Reports that a table of the run lacks a column; returns EXIT_USAGE. */
int run_results_lacks(const RunResults *run, const Table *table, const char *column);

/* Returns whether the run was stopped by a signal, so that it can be resumed. */
bool run_results_stopped(const RunResults *run);

/* Returns the number of degrees of freedom that have columns in the trajectory. */
int run_results_shown(const RunResults *run);

/* Returns the total time that a degree of freedom spends in a state, in s. Sets *intervals to the number of its
 * intervals. `events` must be a table of intervals. Intervals as short as the errors of their times are left out. */
double run_results_time_in(const RunResults *run, int dof, int state, long *intervals);
/* Returns the number of intervals of stick and slip of a dof, as counted by run_results_time_in; 0 if it has no
 * friction. The table `events` must have such intervals. */
long run_results_friction_intervals(const RunResults *run, int dof);

#endif
