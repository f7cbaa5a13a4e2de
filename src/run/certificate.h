/* Result of a proof of the least effort: outcome.certificate. */
#ifndef SRC_RUN_CERTIFICATE_H
#define SRC_RUN_CERTIFICATE_H

#include "control/refine.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"

typedef struct Certificate {
  bool sought;
  const char *reason; /* why there is no proof; NULL: there is at least a partial one; static, or distrust */
  /* Why the motion of a better control is not trusted, in which case the run ends with EXIT_UNSOLVED; "": it is
   * trusted. */
  char distrust[MOTION_FAILURE_SIZE];
  bool under_way;     /* started, and not finished */
  bool late;          /* out of time */
  bool whole;         /* proven to the requested gap */
  double J, cap;      /* J of the answer; upper bound of J of the controls to exclude */
  double lower_bound; /* no control with J below this meets the target */
  long simulations, boxes;
  long unsolved; /* boxes that could not be decided, as their motions fail */
  double seconds;
  CtlRefined
      better; /* a control with J < cap that meets the target, found during the proof; control NULL: none; owned */
} Certificate;

void certificate_clear(Certificate *certificate);

/* Returns a new reference; NULL: no proof was requested, or no memory. */
json_t *certificate_json(const Certificate *certificate, const SimProblem *sim);

/* Prints a line on the standard output; nothing if no proof was requested. */
void certificate_print(const Certificate *certificate);

#endif
