/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps after a search: verification on the exact motion, refinement, scenarios, results and, if requested, a
 * proof. The proof may take longest, so the answer is written before it. */
#ifndef SRC_SEARCH_END_H
#define SRC_SEARCH_END_H

#include "src/search/certification.h"

/* Continues after a drive that ended with the code `drive`: writes a checkpoint, or does all steps except the proof and
 * writes the summary. *proof: NULL, unless a proof follows; then call search_run_conclude after it. Returns the exit
 * code of the run, or 0 if a proof follows. */
int search_run_answer(SearchRun *run, int drive, Certification **proof);

/* Continues after a proof that ended with the code `over`, as in certification_end. Returns the exit code of the
 * run. */
int search_run_conclude(SearchRun *run, Certification *proof, int over);

/* Calls search_run_answer and, if a proof follows, runs it on the run's pool or in this process, and calls
 * search_run_conclude. Returns the exit code of the run. */
int search_run_finish(SearchRun *run, int drive);

#endif
