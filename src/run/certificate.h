/* What a proof of the least effort has come to: outcome.certificate. */
#ifndef SRC_RUN_CERTIFICATE_H
#define SRC_RUN_CERTIFICATE_H

#include "control/refine.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"

typedef struct Certificate {
  bool sought;
  const char *reason; /* why there is no proof at all; NULL: there is one, so far as it goes; static, or distrust */
  /* Why the motion of a better control is not to be trusted, for which the run ends with EXIT_UNSOLVED; "": nothing is wrong with it. */
  char distrust[MOTION_FAILURE_SIZE];
  bool under_way;     /* it has begun, and not ended */
  bool late;          /* out of time */
  bool whole;         /* to the gap wanted */
  double J, cap;      /* of the answer; below which no control was to be left */
  double lower_bound; /* no control with J below this meets the target */
  long simulations, boxes;
  long unsolved; /* boxes of which nothing is told, for their motions fail */
  double seconds;
  CtlRefined
      better; /* a control that costs less than cap and meets the target, found on the way; no control: none; owned */
} Certificate;

void certificate_clear(Certificate *told);

/* A new reference; NULL: none was sought, or no memory. */
json_t *certificate_json(const Certificate *told, const SimProblem *sim);

/* In a line on the standard output; none where none was sought. */
void certificate_print(const Certificate *told);

#endif
