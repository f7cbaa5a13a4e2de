/* events.h5: the slips of a run as datasets of an HDF5 file, [n] each, in the order of (end, dof):
 *
 *     dof (from 1), start, end (s), slip (m: how far the dof went, over its surface where that moves), energy (J: what friction took
 *     of it: the sum over the steps of force times way), and, where dof i is linked with i - 1 and i + 1 alone, event
 *
 * Slips of neighbours, or of one dof, that have an instant in common are of one event; and so on. Events are counted from 1 in the
 * order in which their first slip stands here. Every dataset has an attribute `units`,
 * the file `format`. */
#ifndef SRC_RESULTS_SLIPS_HDF5_H
#define SRC_RESULTS_SLIPS_HDF5_H

#include <stdbool.h>
#include <stdio.h>

typedef struct Slip {
  double dof, start, end, slip, energy;
} Slip;

typedef struct SlipsHdf5 {
  FILE *rows; /* Slip after Slip, in order; read from its start, and then at its end */
  int d;
  bool chain;                    /* there are events */
  const char *position, *energy; /* units */
  const char *title;             /* NULL: none */
} SlipsHdf5;

/* Makes the file at path, the same bytes for the same slips, and puts it on the disk. False: no memory, or no room. */
bool slips_hdf5_write(const char *path, const SlipsHdf5 *catalogue);

#endif
