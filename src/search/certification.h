/* search.certify: a proof that the answer on the motion itself costs no more than it must, after the search. */
#ifndef SRC_SEARCH_CERTIFICATION_H
#define SRC_SEARCH_CERTIFICATION_H

#include "src/run/certificate.h"
#include "src/run/refinement.h"
#include "src/search/search_run.h"

/* Does nothing unless the problem wants it. state: the search's answer; refinement: of that. told: to be cleared. Returns 0,
 * EXIT_STOPPED on a signal, or another exit code after telling. */
int certification_run(SearchRun *run, const CtlState *state, const Refinement *refinement, Certificate *told);

#endif
