/* search.certify: a proof that the answer on the motion itself costs no more than it must, after the search. */
#ifndef SRC_SEARCH_CERTIFICATION_H
#define SRC_SEARCH_CERTIFICATION_H

#include "src/run/refinement.h"
#include "src/search/search_run.h"

typedef struct Certification {
  bool sought;
  const char *reason;  /* why there is no proof at all; NULL: there is one, so far as it goes */
  bool whole;          /* to the gap wanted */
  double J, cap;       /* of the answer; below which no control was to be left */
  double lower_bound;  /* no control with J below this meets the target */
  long simulations, boxes;
  double seconds;
  CtlRefined better; /* a control that costs less than cap and meets the target, found on the way; no control: none; owned */
} Certification;

/* Does nothing unless the problem wants it. state: the search's answer; refinement: of that. To be cleared. Returns 0, EXIT_STOPPED
 * on a signal, or EXIT_INTERNAL after telling. */
int certification_run(SearchRun *run, const CtlState *state, const Refinement *refinement, Certification *told);
void certification_clear(Certification *told);

/* outcome.certificate: a new reference; NULL: none was sought, or no memory. */
json_t *certification_json(const Certification *told, const SimProblem *sim);

/* In a line or two on the standard output. */
void certification_print(const Certification *told);

#endif
