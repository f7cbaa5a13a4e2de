/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a proof that no control costs less than the answer: outcome.certificate. */
#ifndef SRC_RUN_CERTIFICATE_H
#define SRC_RUN_CERTIFICATE_H

#include "control/refine.h"
#include "src/file/sections/file.h"
#include "src/results/motion_failure.h"

typedef struct Certificate {
  bool sought;
  const char *reason; /* why there is no proof; NULL: there is one, maybe in part. Static, or the member distrust */
  /* Why the motion of a better control is not trusted, so that the run ends with EXIT_UNSOLVED; "": it is trusted. */
  char distrust[MOTION_FAILURE_SIZE];
  bool under_way;     /* whether the proof has begun and is not finished */
  bool late;          /* whether the time limit of the proof has been reached */
  bool whole;         /* whether the proof is complete: the lower bound is within the requested gap of J */
  double J, cap;      /* J: effort J of the answer; cap: controls with an effort of at least cap are not examined */
  double lower_bound; /* it is proven that no control with J below this meets the target */
  long simulations, boxes;
  long unsolved; /* number of boxes of controls that could not be decided, as their motions fail */
  double seconds;
  CtlRefined
      better; /* a control with J < cap that meets the target, found during the proof; its member control is NULL if
               * there is none; owned */
} Certificate;

void certificate_clear(Certificate *certificate);

/* Returns outcome.certificate: a new reference; NULL if no proof was requested or there is no memory. */
json_t *certificate_json(const Certificate *certificate, const SimProblem *sim);

/* Prints the result in a line on standard output; nothing if no proof was requested. */
void certificate_print(const Certificate *certificate);

#endif
