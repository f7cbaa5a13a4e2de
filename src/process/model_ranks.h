/* SPDX-License-Identifier: BSD-2-Clause */
/* Data for reading and evaluating the model of a problem file: which ranks do so together, and which limits the model
 * has. */
#ifndef SRC_MODEL_RANKS_H
#define SRC_MODEL_RANKS_H

#include "sim/group.h"
#include "src/base/options.h"

typedef struct ModelRanks {
  SimGroup *group; /* the ranks that read and evaluate the model together; NULL: this process alone; borrowed */
  int copies;      /* number of copies of the whole model that must fit into this machine's memory; 0: this was checked
                    * before */
  int workers;     /* number of further ranks that evaluate models, in groups of search.ranks_per_evaluation; each group
                    * has a copy of the model */
  WorkLimits limits;
  /* Whether the model is only simulated. If the file does not choose how matrices are stored, the choice is then based
   * on their pattern (src/file/model/storage.c). */
  bool by_pattern;
  FILE *progress_line; /* stream for the progress line, which shows long work before the first step; NULL: not shown */
} ModelRanks;

#endif
