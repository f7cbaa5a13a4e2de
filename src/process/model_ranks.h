/* Who evaluates the model of a problem file, and what it may cost, for those who read it. */
#ifndef SRC_MODEL_RANKS_H
#define SRC_MODEL_RANKS_H

#include "sim/group.h"
#include "src/base/options.h"

typedef struct ModelRanks {
  SimGroup *group; /* that reads and evaluates it together; NULL: this process alone; borrowed */
  int copies;      /* of the whole model, that this machine's memory must hold; 0: somebody else has looked */
  int workers;     /* besides, in groups of search.ranks_per_evaluation, each with a copy */
  WorkLimits limits;
  bool
      by_pattern; /* matrices that the file does not say how to hold are held as suits a simulation (src/file/model/storage.c) */
  FILE *progress_line; /* where long work on the way to the first step is shown; NULL: nowhere */
} ModelRanks;

#endif
