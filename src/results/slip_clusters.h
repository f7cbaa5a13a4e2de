/* SPDX-License-Identifier: BSD-2-Clause */
/* Groups slips into events. Two slips belong to the same event if they overlap in time and are of the same degree of
 * freedom (dof) or of neighbours. This is transitive: if A and B belong together, and B and C, so do A and C. */
#ifndef SRC_RESULTS_SLIP_CLUSTERS_H
#define SRC_RESULTS_SLIP_CLUSTERS_H

#include <stdbool.h>

typedef struct SlipClusters SlipClusters;

/* Creates the record of n slips of dofs 1 to d. Returns NULL if there is no memory. */
SlipClusters *slip_clusters_create(int d, long n);
void slip_clusters_destroy(SlipClusters *clusters);

/* Adds a slip of a dof. Slips must be added in the order of their ends. */
void slip_clusters_add(SlipClusters *clusters, int dof, double start, double end);

/* Returns for each slip [n] the number of its event. All slips must have been added. Events are numbered from 1 in the
 * order of their first slips. The array is borrowed. */
const long *slip_clusters_events(SlipClusters *clusters);

#endif
