/* Which slips belong to one event: those of one dof or of neighbours that have an instant in common, and so on. */
#ifndef SRC_RESULTS_SLIP_CLUSTERS_H
#define SRC_RESULTS_SLIP_CLUSTERS_H

#include <stdbool.h>

typedef struct SlipClusters SlipClusters;

/* Of n slips of dofs 1..d. NULL: no memory. */
SlipClusters *slip_clusters_create(int d, long n);
void slip_clusters_destroy(SlipClusters *clusters);

/* The next slip: their ends ascend. */
void slip_clusters_add(SlipClusters *clusters, int dof, double start, double end);

/* After the last: the event of each slip [n], from 1 in the order of the first slips; borrowed. */
const long *slip_clusters_events(SlipClusters *clusters);

#endif
