/* SPDX-License-Identifier: BSD-2-Clause */
/* The evaluator that runs a user's program, and the message from which workers make theirs. */
#ifndef SRC_SEARCH_EXTERNAL_EVALUATOR_H
#define SRC_SEARCH_EXTERNAL_EVALUATOR_H

#include "control/pool.h"
#include "src/external/point.h"
#include "src/run/message.h"
#include "src/search/messages.h"

typedef struct ExternalEvaluator {
  PointProgram program;
  bool interrupted;         /* whether an evaluation was cancelled; then all later ones are cancelled, too */
  Diagnostics *diagnostics; /* receives one error about a missing folder or process; borrowed */
  CtlFunction function;
} ExternalEvaluator;

/* Returns the evaluator, which borrows its argument. The member `program` must be set. */
CtlEvaluator external_evaluator(ExternalEvaluator *evaluator);

#endif
