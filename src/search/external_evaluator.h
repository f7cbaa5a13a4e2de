/* The evaluator that runs a program of the user's own, and what the workers make theirs of. */
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

/* The problem, and where its points' folders are, as bytes; to be freed. NULL: no memory. */
char *external_message(const Problem *problem, const char *points, size_t *size);
/* A worker's evaluator of these (messages.c). SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus external_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size, void **owner,
                         CtlEvaluator *evaluator);
void external_release(void *owner);

#endif
