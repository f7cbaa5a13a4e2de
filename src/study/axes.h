/* What a sweep varies: keys of a problem file, each with its values, as texts that --set would take.
 *
 *     KEY=[a, b, c]              a list; its entries are any YAML
 *     KEY=from:to:count          count numbers in equal steps, both ends included; each of the three may be an expression, 2*pi
 *     KEY=from:to:count:log      in equal ratios
 *
 * Runs are counted from 0: all combinations, the last axis fastest; or, zipped, the first values of all, the second, .. */
#ifndef SRC_STUDY_AXES_H
#define SRC_STUDY_AXES_H

#include "src/base/diagnostics.h"

enum { SWEEP_RUNS_MAX = 1000000, SWEEP_AXES_MAX = 32 };

typedef struct Axis {
  char *key;       /* dotted path; owned, as the rest */
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

/* Reads the values of --vary, n of them. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after telling one error for each mistake; clear it
 * either way. */
int axes_read(Axes *axes, char *const *varies, int n, bool zip, Diagnostics *diagnostics);
void axes_clear(Axes *axes);

/* Which value of each axis a run has: index [n]. */
void axes_index(const Axes *axes, long run, long *index);
/* The text of a value. */
const char *axes_value(const Axis *axis, long index);

#endif
