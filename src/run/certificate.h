/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a proof that no control meets the target with less effort than the one that the search has found (the
 * answer). summary.json has it as outcome.certificate. */
#ifndef SRC_RUN_CERTIFICATE_H
#define SRC_RUN_CERTIFICATE_H

#include "control/refine.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"

typedef struct Certificate {
  bool sought;
  const char *reason; /* reason why there is no proof; NULL: there is a proof, maybe an incomplete one. A static text,
                       * or the member distrust */
  /* Reason why the motion of a better control is not trusted; the run then ends with EXIT_UNSOLVED. "": it is
   * trusted. */
  char distrust[MOTION_FAILURE_SIZE];
  bool under_way;     /* whether the proof has begun but is not finished */
  bool late;          /* whether the time limit of the proof has been reached */
  bool whole;         /* whether the proof is complete: the lower bound is within the requested gap of the effort J of
                       * the answer */
  double J, cap;      /* J: effort of the answer; cap: the proof only examines controls with an effort below cap */
  double lower_bound; /* it is proven that no control with an effort below this meets the target */
  long simulations, boxes;
  long unsolved; /* number of boxes (sets of controls) that could not be decided, as their motions fail */
  double seconds;
  CtlRefined
      better; /* a control with an effort below cap that meets the target and was found during the proof; owned. Its
               * member control is NULL if there is none */
} Certificate;

void certificate_clear(Certificate *certificate);

/* Returns outcome.certificate. The caller owns the reference; NULL if no proof was requested, or there is no memory. */
json_t *certificate_json(const Certificate *certificate, const SimProblem *sim);

/* Prints the result in a line on standard output. Prints nothing if no proof was requested. */
void certificate_print(const Certificate *certificate);

#endif
