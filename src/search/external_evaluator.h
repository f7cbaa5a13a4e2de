/* The evaluator that runs a program of the user's own; messages.h has its message. */
#ifndef SRC_SEARCH_EXTERNAL_EVALUATOR_H
#define SRC_SEARCH_EXTERNAL_EVALUATOR_H

#include "control/pool.h"
#include "src/external/point.h"
#include "src/run/message.h"
#include "src/search/messages.h"

typedef struct ExternalEvaluator {
  PointProgram program;
  bool interrupted;         /* an evaluation was cancelled: so are all that follow */
  Diagnostics *diagnostics; /* hear once of a folder or a process that could not be had; borrowed */
  CtlFunction function;
} ExternalEvaluator;

/* program: to be filled. Borrows it. */
CtlEvaluator external_evaluator(ExternalEvaluator *evaluator);

#endif
