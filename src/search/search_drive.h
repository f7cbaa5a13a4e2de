/* Runs a search on its evaluators: a pool, or this process alone. */
#ifndef SRC_SEARCH_DRIVE_H
#define SRC_SEARCH_DRIVE_H

#include "control/pool.h"
#include "src/run/evaluated_model.h"

/* All members are borrowed. */
typedef struct SearchDrive {
  CtlPool *pool; /* NULL: this process alone */
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* of this process */
  const CtlListener *listener;
  double timeout;             /* time limit of one evaluation, s; 0: none */
  const EvaluatedModel *sent; /* model sent to the workers; NULL: they have it */
  const char *path;           /* path of the problem file */
} SearchDrive;

/* Runs the search to its end; returns the code of ctl_pool_drive or ctl_drive_serial. */
int search_drive(const SearchDrive *drive, CtlTimes *times);

#endif
