/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes events.h5: the slips of a run, ordered by (end, dof), with the columns
 *
 *     number (from 1), dof (from 1), start, end (s),
 *     slip (m: distance moved, relative to a moving surface),
 *     energy (J: taken by friction: the sum over the steps of force times distance),
 *     event, if dof i is coupled only with i - 1 and i + 1
 *
 * Slips that overlap in time and are of the same dof or of neighbours belong to one event, transitively. Events are
 * numbered from 1 in the order of their first slips in the file. */
#ifndef SRC_RESULTS_SLIPS_FILE_H
#define SRC_RESULTS_SLIPS_FILE_H

#include "src/results/results.h"
#include "src/results/table.h"

#include <stdbool.h>
#include <stdio.h>

/* Columns of events.h5 after the number, as table_read returns them. */
enum { SLIP_DOF, SLIP_START, SLIP_END, SLIP_WAY, SLIP_ENERGY, SLIP_EVENT, SLIP_COLUMNS };
extern const char *const slip_columns[SLIP_COLUMNS];

typedef struct Slip {
  double dof, start, end, slip, energy;
} Slip;

typedef struct SlipsFile {
  FILE *rows; /* file of structs Slip in order; it is read from its start, and afterwards its position is at its end */
  int d;
  bool chain;                    /* whether dof i is coupled only with i - 1 and i + 1, so that there are events */
  const char *position, *energy; /* units of positions and energies */
  const char *title;             /* NULL: no title */
} SlipsFile;

/* Writes the file into the results directory, atomically. The same slips give the same bytes. Returns 0, or -1 after
 * reporting an error. */
int slips_file_write(const Results *results, const SlipsFile *slips);

/* Fills sizes, the distribution of the sizes of events, with a row for each size, in increasing order. Column `size` is
 * the sum of abs(slip) over the slips of an event. Column `count` is the number of events at least that large. slips:
 * from events.h5 as table_read returns them; without a column event, each slip counts as an event. Omits events of size
 * 0. Returns false if there is no memory; sizes is then empty. */
bool event_sizes(const Table *slips, Table *sizes);

#endif
