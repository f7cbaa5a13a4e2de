/* A search on whoever evaluates: a pool, or this process alone. */
#ifndef SRC_SEARCH_DRIVE_H
#define SRC_SEARCH_DRIVE_H

#include "control/pool.h"
#include "src/run/evaluated_model.h"

/* All borrowed. */
typedef struct SearchDrive {
  CtlPool *pool; /* NULL: this process alone */
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* this process's */
  const CtlListener *listener;
  double timeout;             /* s, of one evaluation; 0: none */
  const EvaluatedModel *sent; /* what the workers build theirs of; NULL: they have it */
  const char *path;           /* where it was read */
} SearchDrive;

/* From beginning to end: what ctl_pool_drive or ctl_drive_serial returns. */
int search_drive(const SearchDrive *drive, CtlTimes *times);

#endif
