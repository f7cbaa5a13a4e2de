/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps after a search: verification on the exact motion, refinement, scenarios, results and, if requested, a
 * proof. The proof may take longest, so the results are written before it. */
#ifndef SRC_SEARCH_END_H
#define SRC_SEARCH_END_H

#include "src/search/certification.h"

/* Continues after the evaluation of points has ended with the code `drive`. If it was stopped, writes a checkpoint;
 * otherwise does all steps except the proof and writes the summary. *proof: set to NULL unless a proof follows; the
 * caller then runs the proof and calls search_run_conclude. Returns the exit code of the run, or 0 if a proof
 * follows. */
int search_run_answer(SearchRun *run, int drive, Certification **proof);

/* Continues after a proof that has ended with the code `over` (see certification_end). Returns the exit code of the
 * run. */
int search_run_conclude(SearchRun *run, Certification *proof, int over);

/* Calls search_run_answer. If a proof follows, runs it on the pool of the run or in this process, and calls
 * search_run_conclude. Returns the exit code of the run. */
int search_run_finish(SearchRun *run, int drive);

#endif
