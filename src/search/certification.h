/* search.certify: after the search, proves that no control costs less than the answer on the exact motion, up to a
 * gap. */
#ifndef SRC_SEARCH_CERTIFICATION_H
#define SRC_SEARCH_CERTIFICATION_H

#include "control/pool.h"
#include "src/run/certificate.h"
#include "src/run/refinement.h"
#include "src/search/search_run.h"

/* A running proof. */
typedef struct Certification Certification;

/* Begins the proof that the problem requests. state: the search's answer; refinement: of that answer. certificate: must
 * outlive the proof; clear it afterwards. *begun: NULL if there is nothing to prove, and certificate is complete.
 * Returns 0, or an exit code after reporting an error. */
int certification_begin(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *certificate,
                        Certification **begun);

/* Returns a code other than 0 if the proof has already ended; pass it to certification_goes_on and
 * certification_end. */
int certification_over(const Certification *certification);

/* Whether a proof that ended with `over` continues: it found a better answer, and is now the proof for that, with a new
 * job, unless that has ended, too. */
bool certification_goes_on(Certification *certification, int over);

/* Runs the proof to its end, by the run's pool or in this process. Returns the code for certification_end. */
int certification_drive(Certification *certification);

/* Alternatively, for another's pool: returns the job, which is borrowed except the model's bytes, which the caller
 * frees. listener: the proof's own; the job may wrap it. Returns false if there is no memory. */
bool certification_job(Certification *certification, CtlJob *job, void **model);

/* Finishes the proof. over: from certification_drive or ctl_pool_over. Returns 0; EXIT_STOPPED on a signal, with its
 * state stored for the next checkpoints; or another exit code after reporting an error. */
int certification_end(Certification *certification, int over);

#endif
