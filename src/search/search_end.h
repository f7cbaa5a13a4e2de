/* What follows on a search: the motion itself, refinement, scenarios, results, and, where it is wanted, a proof, which may last longer than
 * all else, so that the answer is written before it. */
#ifndef SRC_SEARCH_END_H
#define SRC_SEARCH_END_H

#include "src/search/certification.h"

/* After the drive, with what that has returned: checkpoint, or all but the proof, and the summary. *proof: NULL, unless it is to follow;
 * then search_run_conclude is to be called. Returns the run's exit code, or, with a proof, 0. */
int search_run_answer(SearchRun *run, int drive, Certification **proof);

/* After the proof, with what has ended it: as certification_end. Returns the run's exit code. */
int search_run_conclude(SearchRun *run, Certification *proof, int over);

/* Both, and the proof between, by the run's pool or this process. */
int search_run_finish(SearchRun *run, int drive);

#endif
