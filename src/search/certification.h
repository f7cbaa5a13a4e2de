/* search.certify: a proof that the answer on the motion itself costs no more than it must, after the search. */
#ifndef SRC_SEARCH_CERTIFICATION_H
#define SRC_SEARCH_CERTIFICATION_H

#include "control/pool.h"
#include "src/run/certificate.h"
#include "src/run/refinement.h"
#include "src/search/search_run.h"

/* A proof under way. */
typedef struct Certification Certification;

/* What the problem wants of one. state: the search's answer; refinement: of that. told: to be cleared, and to outlive the proof. *begun:
 * NULL: there is nothing to prove, and told says all. Returns 0, or an exit code after telling. */
int certification_begin(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *told,
                        Certification **begun);

/* Other than 0: it has ended already, with this for certification_goes_on and certification_end. */
int certification_over(const Certification *certification);

/* Whether what has ended so is not the end: it has come upon a better answer, and is the proof of that now, with another job, if it has not ended
 * already. */
bool certification_goes_on(Certification *certification, int over);

/* By the run's pool, or here, to its end. What it has ended with, for certification_end. */
int certification_drive(Certification *certification);

/* Or by another's pool: the job, all of it borrowed, but for the model's bytes, which are to be freed. listener: its own, which the job's may
 * stand in front of. Returns false when out of memory. */
bool certification_job(Certification *certification, CtlJob *job, void **model);

/* What it has come to. over: as certification_drive or ctl_pool_over. Returns 0, EXIT_STOPPED on a signal, with what the next
 * checkpoints have of it, or another exit code after telling. */
int certification_end(Certification *certification, int over);

#endif
