/* SPDX-License-Identifier: BSD-2-Clause */
/* Checkpoints of a search. A checkpoint has the state of the search, the states of an unfinished bound and of an
 * unfinished proof, and the length of search.csv. */
#ifndef SRC_SEARCH_CHECKPOINT_H
#define SRC_SEARCH_CHECKPOINT_H

#include "src/search/search_run.h"

/* Writes a checkpoint, after flushing the rows of search.csv that belong to it. now: the present time from
 * ctl_seconds(). If the search ran out of memory, nothing is written, and `resume` continues from the previous
 * checkpoint. Returns 0, or EXIT_INTERNAL after reporting an error. */
int search_checkpoint_save(SearchRun *run, double now);

/* Opens the search of a problem at its checkpoint; if there is none, at its start. Returns 0; or EXIT_USAGE or
 * EXIT_INTERNAL after reporting an error. */
int search_checkpoint_open(SearchRun *run, const CtlProblem *problem);

/* Reports errors in the stored state of a run's search, bound or proof; used as function of a SimReport. */
void search_checkpoint_refuse(void *run, const char *key, const char *text);

#endif
