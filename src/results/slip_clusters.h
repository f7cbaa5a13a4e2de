/* Groups slips into events: slips of one dof or of neighbours that overlap in time belong to the same event,
 * transitively. */
#ifndef SRC_RESULTS_SLIP_CLUSTERS_H
#define SRC_RESULTS_SLIP_CLUSTERS_H

#include <stdbool.h>

typedef struct SlipClusters SlipClusters;

/* Creates the record of n slips of dofs 1..d. NULL if there is no memory. */
SlipClusters *slip_clusters_create(int d, long n);
void slip_clusters_destroy(SlipClusters *clusters);

/* Adds a slip; they must be ordered by their end. */
void slip_clusters_add(SlipClusters *clusters, int dof, double start, double end);

/* Returns, after all slips were added, the event of each slip [n], from 1 in the order of the first slips; borrowed. */
const long *slip_clusters_events(SlipClusters *clusters);

#endif
