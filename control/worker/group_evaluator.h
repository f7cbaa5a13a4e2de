/* Ranks that simulate one point together, each with its own rows of a sparse model. The first of them, the leader, talks
 * to the coordinator; the others follow it. */
#ifndef CONTROL_POOL_GROUP_H
#define CONTROL_POOL_GROUP_H

#include "control/evaluator.h"

#include <mpi.h>

typedef struct CtlGroup CtlGroup;

/* comm: borrowed. Collective over comm, as all here. NULL, on all ranks: no memory. */
CtlGroup *ctl_group_create(const SimModel *model, SimWorkspace *work, MPI_Comm comm);
void ctl_group_destroy(CtlGroup *group); /* local */

/* The leader's evaluator: all ranks simulate each point. The group: borrowed. */
CtlEvaluator ctl_group_evaluator(CtlGroup *group);

/* The leader sends the followers home. */
void ctl_group_dismiss(CtlGroup *group);

/* A follower's part in that, until it is sent home. */
void ctl_group_follow(CtlGroup *group);

#endif
