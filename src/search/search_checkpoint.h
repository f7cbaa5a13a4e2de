/* A search's checkpoint: the search, the bound and the proof that may have begun, and how far search.csv goes. */
#ifndef SRC_SEARCH_CHECKPOINT_H
#define SRC_SEARCH_CHECKPOINT_H

#include "src/search/search_run.h"

/* Writes one of all that is under way. now: ctl_seconds(). The rows of search.csv that it relies on go to the disk before it. None where
 * memory has ended a search: `resume` goes on from the one before. Returns 0 or EXIT_INTERNAL after telling. */
int search_checkpoint_save(SearchRun *run, double now);

/* The search for a problem from its checkpoint, or from the start when there is none yet. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after
 * telling. */
int search_checkpoint_open(SearchRun *run, const CtlProblem *problem);

/* A SimReport's: what is wrong with the saved search, bound or proof of a run. */
void search_checkpoint_refuse(void *run, const char *key, const char *text);

#endif
