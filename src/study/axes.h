/* SPDX-License-Identifier: BSD-2-Clause */
/* The axes of a sweep. An axis is a key of a problem file with several values, which are texts as for --set.
 *
 *   KEY=[a, b, c]              a list of any YAML values
 *   KEY=from:to:count          count numbers in equal steps, both ends included; each may be an expression, e.g. 2*pi
 *   KEY=from:to:count:log      count numbers in equal ratios
 *
 * Runs are numbered from 0. They are all combinations of the values, in an order in which the last axis changes
 * fastest. If the axes are zipped, run k has value number k of each axis. */
#ifndef SRC_STUDY_AXES_H
#define SRC_STUDY_AXES_H

#include "src/base/diagnostics.h"

enum { SWEEP_RUNS_MAX = 1000000, SWEEP_AXES_MAX = 32 };

typedef struct Axis {
  char *key;       /* dotted path of the key; owned, as are the settings */
  char **settings; /* [count] settings KEY=VALUE, one for each value */
  long count;      /* number of values, >= 2 */
  bool range;      /* whether the values were given as from:to:count */
} Axis;

typedef struct Axes {
  Axis axes[SWEEP_AXES_MAX];
  int n;
  bool zip;
  long runs;
} Axes;

/* Reads the values of n options --vary. zip: the axes are zipped. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after
 * reporting an error for each mistake. The caller calls axes_clear in each case. */
int axes_read(Axes *axes, char *const *varies, int n, bool zip, Diagnostics *diagnostics);
void axes_clear(Axes *axes);

/* Sets index [n] to the numbers, from 0, of the values that the axes have in a run. */
void axes_index(const Axes *axes, long run, long *index);
/* Returns the text of value number `index`, from 0, of an axis. */
const char *axes_value(const Axis *axis, long index);

#endif
