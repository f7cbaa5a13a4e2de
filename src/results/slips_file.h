/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes events.h5. It has the slips of a run, ordered by (end, dof), with the columns
 *
 *     number (from 1), dof (degree of freedom, from 1), start, end (s),
 *     slip (m: distance moved, relative to a moving surface),
 *     energy (J: dissipated by friction, i.e. the sum over the steps of force times distance),
 *     event, if dof i is coupled only with i - 1 and i + 1
 *
 * Two slips belong to the same event if they overlap in time and are of the same dof or of neighbours; this is
 * transitive. Events are numbered from 1 in the order of their first slips in the file. */
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
  FILE *rows; /* file of structs Slip, ordered by (end, dof); it is read from its start, and its position is at its end
               * afterwards */
  int d;
  bool chain;                    /* whether dof i is coupled only with i - 1 and i + 1, so that slips are grouped into
                                  * events */
  const char *position, *energy; /* units of positions and energies */
  const char *title;             /* NULL: no title */
} SlipsFile;

/* Writes events.h5 into the results directory, atomically. The same slips give the same bytes. Returns 0, or -1 after
 * reporting an error. */
int slips_file_write(const Results *results, const SlipsFile *slips);

/* Fills sizes, the distribution of the sizes of events, with a row for each size, in increasing order. The column
 * `size` is the sum of abs(slip) over the slips of an event; `count` is the number of events that are at least that
 * large. Events of size 0 are left out. slips: slips from events.h5 as table_read returns them; without a column
 * `event`, each slip counts as an event. Returns false if there is no memory; sizes is then empty. */
bool event_sizes(const Table *slips, Table *sizes);

#endif
