/* Messages from which the workers of a pool create their models when the problem changes: the bytes of a dense problem,
 * or the path of a sparse problem's file, which they read. */
#ifndef SRC_MODEL_MESSAGE_H
#define SRC_MODEL_MESSAGE_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/base/options.h"
#include "src/run/evaluated_model.h"

/* Form of a message, its first bytes as int64_t. */
enum {
  MODEL_MESSAGE_PACKED,
  MODEL_MESSAGE_FILE,
  MODEL_MESSAGE_PROOF,
  MODEL_MESSAGE_SCENARIOS, /* see scenario_tasks.h */
  MODEL_MESSAGE_CASES      /* see bound_tasks.h */
};

/* Rank 0: packs a model; the caller frees it. path: of the problem file. NULL if there is no memory. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);

/* Packs a dense problem with the bound by which its proof compares motions; workers then carry out tasks of the
 * proof. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);

/* Returns a worker's builder of models from these messages. options: borrowed. */
CtlBuilder model_message_builder(const Options *options);

#endif
