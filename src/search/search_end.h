/* Steps after a search: verification on the exact motion, refinement, scenarios, results, and a proof if requested. The
 * proof may take longest, so the answer is written before it. */
#ifndef SRC_SEARCH_END_H
#define SRC_SEARCH_END_H

#include "src/search/certification.h"

/* Call after the drive, with its code: writes a checkpoint, or does all steps except the proof and writes the
 * summary. *proof: NULL, unless a proof follows; then call search_run_conclude. Returns the run's exit code or, with
 * a proof, 0. */
int search_run_answer(SearchRun *run, int drive, Certification **proof);

/* Call after the proof, with its code as in certification_end. Returns the run's exit code. */
int search_run_conclude(SearchRun *run, Certification *proof, int over);

/* Does both, and the proof in between, with the run's pool or in this process. */
int search_run_finish(SearchRun *run, int drive);

#endif
