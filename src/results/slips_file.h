/* events.h5: the slips of a run, ordered by (end, dof), with the columns
 *
 *     number (from 1), dof (from 1), start, end (s),
 *     slip (m: distance moved, relative to a moving surface),
 *     energy (J: taken by friction: the sum over the steps of force times distance),
 *     event, if dof i is coupled only with i - 1 and i + 1
 *
 * Slips of one dof or of neighbours that overlap in time belong to one event, transitively. Events are numbered from 1
 * in the order of their first slips here. */
#ifndef SRC_RESULTS_SLIPS_FILE_H
#define SRC_RESULTS_SLIPS_FILE_H

#include "src/results/results.h"
#include "src/results/table.h"

#include <stdbool.h>
#include <stdio.h>

/* Columns of slips.csv after the number, as read by table_read. */
enum { SLIP_DOF, SLIP_START, SLIP_END, SLIP_WAY, SLIP_ENERGY, SLIP_EVENT, SLIP_COLUMNS };
extern const char *const slip_columns[SLIP_COLUMNS];

typedef struct Slip {
  double dof, start, end, slip, energy;
} Slip;

typedef struct SlipsFile {
  FILE *rows; /* Slips in order; read from its start, and then at its end */
  int d;
  bool chain;                    /* there are events */
  const char *position, *energy; /* units */
  const char *title;             /* NULL: no title */
} SlipsFile;

/* Writes the file into the results directory atomically; the same slips give the same bytes. Returns 0, or -1 after
 * reporting an error. */
int slips_file_write(const Results *results, const SlipsFile *slips);

/* Distribution of the sizes of events in events.h5. */

/* Fills sizes with a row for each size that occurs, in increasing order: `size`, the sum of abs(slip) over an event's slips, and `count`,
 * the number of events at least that large. slips: from events.h5, as read by table_read; without events each slip counts as one. Omits
 * events of size 0. Returns false if there is no memory; sizes is then empty. */
bool event_sizes(const Table *slips, Table *sizes);

#endif
