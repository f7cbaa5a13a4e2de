/* Ranks that simulate one point together, each with its own rows of a sparse model. The first of them, the leader, talks
 * to the coordinator; the others follow it. */
#ifndef CONTROL_POOL_GROUP_H
#define CONTROL_POOL_GROUP_H

#include "sim/sim.h"

#include <mpi.h>

typedef struct CtlGroup CtlGroup;

/* comm: borrowed. batch: points at a time at most. Collective over comm, as all here. NULL, on all ranks: no memory. */
CtlGroup *ctl_group_create(const SimModel *model, SimWorkspace *work, int batch, MPI_Comm comm);
void ctl_group_destroy(CtlGroup *group); /* local */

/* The leader's sim_batch: final[i].x and .v are [d], all rows. n = 0: sends the followers home. */
void ctl_group_batch(CtlGroup *group, int n, const double *control, SimFinal *final);

/* A follower's part in that, until it is sent home. */
void ctl_group_follow(CtlGroup *group);

#endif
