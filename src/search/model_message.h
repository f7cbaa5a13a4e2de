/* What the workers of a pool make their models from, when problems come and go: the bytes of a dense problem, or the path
 * of a sparse one's file, which they read themselves. */
#ifndef SRC_MODEL_MESSAGE_H
#define SRC_MODEL_MESSAGE_H

#include "control/certify.h"
#include "src/run/evaluated_model.h"
#include "src/run/message.h"
#include "src/search/messages.h"

/* Rank 0: to be freed. path: of the problem file. NULL: no memory. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);

/* Likewise of a dense problem and what its proof compares motions by: its workers carry out a proof's tasks. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);

/* A worker's evaluator of either (messages.c). SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus model_message_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                              void **owner, CtlEvaluator *evaluator);
void model_message_release(void *owner);

#endif
