/* SPDX-License-Identifier: BSD-2-Clause */
/* Which ranks read and evaluate the model of a problem file, and the limits of the model. */
#ifndef SRC_MODEL_RANKS_H
#define SRC_MODEL_RANKS_H

#include "sim/group.h"
#include "src/base/options.h"

typedef struct ModelRanks {
  SimGroup *group; /* the ranks that read and evaluate the model together; NULL: this process alone; borrowed */
  int copies;      /* number of copies of the whole model that must fit into this machine's memory; 0: this was checked
                    * before */
  int workers;     /* additional workers, in groups of search.ranks_per_evaluation ranks, each group with a copy */
  WorkLimits limits;
  /* If the file does not choose how matrices are stored, choose it for a simulation (src/file/model/storage.c). */
  bool by_pattern;
  FILE *progress_line; /* shows long work before the first step; NULL: not shown */
} ModelRanks;

#endif
