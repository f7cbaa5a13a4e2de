/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/slips_file.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

/* Returns the sizes of all events, which the caller frees. Sets *n to their number. The slips of an event need not be
 * consecutive. */
static double *sum_up(const Table *slips, long *n) {
  bool events = slips->columns > SLIP_EVENT;
  *n = events ? 0 : slips->rows;
  for (long k = 0; events && k < slips->rows; k++) *n = (long)fmax((double)*n, table_at(slips, k, SLIP_EVENT));
  double *sums = calloc((size_t)*n + 1, sizeof *sums);
  for (long k = 0; sums && k < slips->rows; k++)
    sums[events ? (long)table_at(slips, k, SLIP_EVENT) - 1 : k] += fabs(table_at(slips, k, SLIP_WAY));
  return sums;
}

bool event_sizes(const Table *slips, Table *sizes) {
  long n;
  double *sums = sum_up(slips, &n);
  bool made = table_make(sizes, 2, n, false) && table_name(sizes, 0, "size") && table_name(sizes, 1, "count");
  if (!sums || !made) {
    free(sums);
    table_clear(sizes);
    return false;
  }
  qsort(sums, (size_t)n, sizeof *sums, compare);
  for (long k = 0; k < n; k++) {
    if (sums[k] == 0 || (k > 0 && sums[k] == sums[k - 1])) continue;
    double *row = table_add_row(sizes);
    row[0] = sums[k];
    row[1] = (double)(n - k);
  }
  free(sums);
  return true;
}
