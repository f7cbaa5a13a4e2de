/* Who evaluates a sparse model together: one process, or the ranks of a group, each with its own rows. */
#ifndef SRC_SHARING_H
#define SRC_SHARING_H

#include "sim/group.h"
#include "src/base/diagnostics.h"

typedef struct Sharing {
  SimGroup *group; /* NULL: this process alone, with all rows */
  MPI_Comm comm;   /* of the group; MPI_COMM_NULL likewise; borrowed */
  int copies;      /* of the whole model, that this machine's memory must hold; 0: somebody else has looked */
  int workers;     /* besides, in groups of search.ranks_per_evaluation, each with a copy */
} Sharing;

/* This process alone. */
Sharing sharing_alone(void);

/* The ranks of comm as a group; MPI_COMM_NULL, or comm of one rank: this process alone. Collective over comm. False, on all
 * ranks, after the first one has told. */
bool sharing_create(MPI_Comm comm, Sharing *sharing, Diagnostics *diagnostics);
void sharing_clear(Sharing *sharing);

/* The largest of everyone's codes, on all of them. Collective over sharing->comm. */
int sharing_agree(const Sharing *sharing, int code);

/* 0: the one who talks. */
int sharing_rank(const Sharing *sharing);

#endif
