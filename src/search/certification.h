/* SPDX-License-Identifier: BSD-2-Clause */
/* Proves after a search that no control meets the target on the exact motion with less effort than the control found
 * (the answer), up to a gap. Does so only if search.certify requests it. */
#ifndef SRC_SEARCH_CERTIFICATION_H
#define SRC_SEARCH_CERTIFICATION_H

#include "control/pool.h"
#include "src/run/certificate.h"
#include "src/run/refinement.h"
#include "src/search/search_run.h"

/* A proof in progress. */
typedef struct Certification Certification;

/* Begins the proof that the problem requests. state: results of the search; refinement: refinement of its answer.
 * certificate must outlive the proof; the caller clears it. If there is nothing to prove, sets *begun to NULL, and the
 * certificate is complete. Returns 0, or an exit code after reporting an error. */
int certification_begin(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *certificate,
                        Certification **begun);

/* Returns a code other than 0 if the proof has already ended. The caller passes the code to certification_goes_on and
 * certification_end. */
int certification_over(const Certification *certification);

/* Returns whether the proof continues after it has ended with the code `over`. It does if it has found a better answer.
 * It is then a new proof for that answer, with a new job of the pool. */
bool certification_goes_on(Certification *certification, int over);

/* Runs the proof to its end, on the pool of the run or in this process. Returns the code for certification_end. */
int certification_drive(Certification *certification);

/* Returns the job of the proof for a pool of the caller, instead of certification_drive. The job is borrowed; the
 * caller frees *model, the bytes of its model. The job has a listener of its own, which must be called by the listener
 * of the caller. Returns false if there is no memory. */
bool certification_job(Certification *certification, CtlJob *job, void **model);

/* Ends the proof. over: code of certification_drive or ctl_pool_over. Returns 0; EXIT_STOPPED after a signal, with the
 * state of the proof stored for the next checkpoints; or another exit code after reporting an error. */
int certification_end(Certification *certification, int over);

#endif
