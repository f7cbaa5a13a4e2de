/* Checkpoint of a search: the search, an unfinished bound and proof, and the length of search.csv. */
#ifndef SRC_SEARCH_CHECKPOINT_H
#define SRC_SEARCH_CHECKPOINT_H

#include "src/search/search_run.h"

/* Writes a checkpoint. now: ctl_seconds(). Flushes the rows of search.csv on which it relies first. Writes none if the
 * search ran out of memory: `resume` continues from the previous one. Returns 0, or EXIT_INTERNAL after reporting an
 * error. */
int search_checkpoint_save(SearchRun *run, double now);

/* Opens the search for a problem from its checkpoint, or from the start if there is none. Returns 0; EXIT_USAGE or
 * EXIT_INTERNAL after reporting an error. */
int search_checkpoint_open(SearchRun *run, const CtlProblem *problem);

/* The function of a SimReport; reports errors in the saved search, bound or proof of a run. */
void search_checkpoint_refuse(void *run, const char *key, const char *text);

#endif
