/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator that runs a user's program for each point, and the message from which workers make such an
 * evaluator. */
#ifndef SRC_SEARCH_EXTERNAL_EVALUATOR_H
#define SRC_SEARCH_EXTERNAL_EVALUATOR_H

#include "control/pool.h"
#include "src/external/point.h"
#include "src/run/message.h"
#include "src/search/messages.h"

typedef struct ExternalEvaluator {
  PointProgram program;
  bool interrupted;         /* whether an evaluation was cancelled; all later ones are then cancelled, too */
  Diagnostics *diagnostics; /* receives one error about a missing folder or process; borrowed */
  CtlFunction function;
} ExternalEvaluator;

/* Returns the evaluator, which borrows *evaluator. The member `program` must be set before. */
CtlEvaluator external_evaluator(ExternalEvaluator *evaluator);

#endif
