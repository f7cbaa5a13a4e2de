#include "src/readback/event_sizes.h"

#include "src/readback/table_hdf5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  double one = *(const double *)a, two = *(const double *)b;
  return (one > two) - (one < two);
}

/* Of each event, to be freed; *n: how many. Slips of one event need not stand together. */
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
  enum { NAME_ROOM = 8 };
  long n;
  double *sums = sum_up(slips, &n);
  *sizes = (Table){.columns = 2,
                   .header = calloc(2, NAME_ROOM),
                   .names = calloc(2, sizeof *sizes->names),
                   .values = calloc(2 * ((size_t)n + 1), sizeof *sizes->values)};
  if (!sums || !sizes->header || !sizes->names || !sizes->values) {
    free(sums);
    table_clear(sizes);
    return false;
  }
  sizes->names[0] = strcpy(sizes->header, "size");
  sizes->names[1] = strcpy(sizes->header + NAME_ROOM, "count");
  qsort(sums, (size_t)n, sizeof *sums, compare);
  for (long k = 0; k < n; k++) {
    if (sums[k] == 0 || (k > 0 && sums[k] == sums[k - 1])) continue;
    double *row = sizes->values + 2 * sizes->rows++;
    row[0] = sums[k];
    row[1] = (double)(n - k);
  }
  free(sums);
  return true;
}
