/* events.h5: the slips of a run, a table in the order of (end, dof):
 *
 *     number (from 1), dof (from 1), start, end (s), slip (m: how far the dof went, over its surface where that moves), energy (J: what
 *     friction took of it: the sum over the steps of force times way), and, where dof i is linked with i - 1 and i + 1 alone, event
 *
 * Slips of neighbours, or of one dof, that have an instant in common are of one event; and so on. Events are counted from 1 in the
 * order in which their first slip stands here. */
#ifndef SRC_RESULTS_SLIPS_FILE_H
#define SRC_RESULTS_SLIPS_FILE_H

#include "src/results/results.h"
#include "src/results/table.h"

#include <stdbool.h>
#include <stdio.h>

/* Its columns behind the number, as table_read has them. */
enum { SLIP_DOF, SLIP_START, SLIP_END, SLIP_WAY, SLIP_ENERGY, SLIP_EVENT, SLIP_COLUMNS };
extern const char *const slip_columns[SLIP_COLUMNS];

typedef struct Slip {
  double dof, start, end, slip, energy;
} Slip;

typedef struct SlipsFile {
  FILE *rows; /* Slip after Slip, in order; read from its start, and then at its end */
  int d;
  bool chain;                    /* there are events */
  const char *position, *energy; /* units */
  const char *title;             /* NULL: none */
} SlipsFile;

/* Makes the file in the results directory, whole or not at all, the same bytes for the same slips. Returns 0, or -1 after reporting that it
 * could not be made. */
int slips_file_write(const Results *results, const SlipsFile *slips);

/* How large the events of events.h5 are. */

/* Fills sizes with a row for each size that an event has, the smallest first: `size`, the sum of abs(slip) of the event's slips, and
 * `count`, how many events are at least that large. slips: of events.h5, as table_read has it; without events each slip is one. Events without size
 * are left out. False: no memory; sizes is then empty. */
bool event_sizes(const Table *slips, Table *sizes);

#endif
