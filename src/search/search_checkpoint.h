/* SPDX-License-Identifier: BSD-2-Clause */
/* The checkpoint of a search has the state of the search, of an unfinished bound and of an unfinished proof, and the
 * length of search.csv. */
#ifndef SRC_SEARCH_CHECKPOINT_H
#define SRC_SEARCH_CHECKPOINT_H

#include "src/search/search_run.h"

/* Writes a checkpoint. now: the time from ctl_seconds(). Before, flushes the rows of search.csv to which it belongs. If
 * the search ran out of memory, writes none, and `resume` continues from the one before. Returns 0, or EXIT_INTERNAL
 * after reporting an error. */
int search_checkpoint_save(SearchRun *run, double now);

/* Opens the search of a problem from its checkpoint, or from its start if there is none. Returns 0; or EXIT_USAGE or
 * EXIT_INTERNAL after reporting an error. */
int search_checkpoint_open(SearchRun *run, const CtlProblem *problem);

/* Reports errors in the saved search, bound or proof of a run; function of a SimReport. */
void search_checkpoint_refuse(void *run, const char *key, const char *text);

#endif
