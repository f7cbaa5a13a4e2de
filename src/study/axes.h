/* The axes of a sweep: keys of a problem file and their values, as texts that --set takes.
 *
 *     KEY=[a, b, c]              a list of any YAML values
 *     KEY=from:to:count          count numbers in equal steps, both ends included; each of the three may be an expression, 2*pi
 *     KEY=from:to:count:log      in equal ratios
 *
 * Runs are numbered from 0: all combinations, the last axis fastest; zipped, the first values of all axes, then the second. */
#ifndef SRC_STUDY_AXES_H
#define SRC_STUDY_AXES_H

#include "src/base/diagnostics.h"

enum { SWEEP_RUNS_MAX = 1000000, SWEEP_AXES_MAX = 32 };

typedef struct Axis {
  char *key;       /* dotted path; owned, like the settings */
  char **settings; /* [count] KEY=VALUE */
  long count;      /* >= 2 */
  bool range;      /* from:to:count */
} Axis;

typedef struct Axes {
  Axis axes[SWEEP_AXES_MAX];
  int n;
  bool zip;
  long runs;
} Axes;

/* Reads the n values of --vary. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after reporting an error for each mistake; axes_clear follows
 * in each case. */
int axes_read(Axes *axes, char *const *varies, int n, bool zip, Diagnostics *diagnostics);
void axes_clear(Axes *axes);

/* Fills the number of each axis's value in a run, index [n]. */
void axes_index(const Axes *axes, long run, long *index);
/* Returns the text of a value. */
const char *axes_value(const Axis *axis, long index);

#endif
