/* The evaluator that runs a user's program, and the message from which workers create theirs. */
#ifndef SRC_SEARCH_EXTERNAL_EVALUATOR_H
#define SRC_SEARCH_EXTERNAL_EVALUATOR_H

#include "control/pool.h"
#include "src/external/point.h"

typedef struct ExternalEvaluator {
  PointProgram program;
  bool interrupted;         /* an evaluation was cancelled: all later ones are cancelled, too */
  Diagnostics *diagnostics; /* receives one error about a folder or process that was not available; borrowed */
  CtlFunction function;
} ExternalEvaluator;

/* Creates the evaluator, which borrows its argument. The member program must be set. */
CtlEvaluator external_evaluator(ExternalEvaluator *evaluator);

/* Packs the problem and the path of its points' folders; the caller frees it. NULL if there is no memory. */
char *external_message(const Problem *problem, const char *points, size_t *size);
/* whether it is such a message, and not one for a model or sweep */
bool external_is_message(const void *bytes, size_t size);
/* Returns the builder of evaluators from these messages. diagnostics: borrowed. */
CtlBuilder external_builder(Diagnostics *diagnostics);

#endif
