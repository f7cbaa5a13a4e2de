/* SPDX-License-Identifier: BSD-2-Clause */
/* Proves after a search, if search.certify requests it, that no control costs less than the answer on the exact motion,
 * up to a gap. */
#ifndef SRC_SEARCH_CERTIFICATION_H
#define SRC_SEARCH_CERTIFICATION_H

#include "control/pool.h"
#include "src/run/certificate.h"
#include "src/run/refinement.h"
#include "src/search/search_run.h"

/* A proof in progress. */
typedef struct Certification Certification;

/* Begins the proof that the problem requests. state: answer of the search; refinement: refinement of that answer.
 * certificate must outlive the proof; clear it afterwards. *begun is NULL if there is nothing to prove; then
 * certificate is complete. Returns 0, or an exit code after reporting an error. */
int certification_begin(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *certificate,
                        Certification **begun);

/* Returns a code other than 0 if the proof has already ended. Pass it to certification_goes_on and
 * certification_end. */
int certification_over(const Certification *certification);

/* Returns whether a proof that ended with the code `over` goes on. It does if it found a better answer. It is then the
 * proof for that answer, with a new job of the pool, unless that proof has ended, too. */
bool certification_goes_on(Certification *certification, int over);

/* Runs the proof to its end, on the run's pool or in this process. Returns the code for certification_end. */
int certification_drive(Certification *certification);

/* Returns the job of the proof, for a pool of the caller's, instead of certification_drive. The job is borrowed; the
 * caller frees the bytes of the model. Its listener is that of the proof, and the caller's listener may call it.
 * Returns false if there is no memory. */
bool certification_job(Certification *certification, CtlJob *job, void **model);

/* Finishes the proof. over: code of certification_drive or ctl_pool_over. Returns 0; EXIT_STOPPED on a signal, with the
 * state stored for the next checkpoints; or another exit code after reporting an error. */
int certification_end(Certification *certification, int over);

#endif
