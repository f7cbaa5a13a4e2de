/* What the workers of a pool make their models from, when problems come and go: the bytes of a dense problem, or the path
 * of a sparse one's file, which they read themselves. */
#ifndef SRC_MODEL_MESSAGE_H
#define SRC_MODEL_MESSAGE_H

#include "control/certify.h"
#include "control/pool.h"
#include "src/base/options.h"
#include "src/run/evaluated_model.h"

/* What a message begins with, as int64_t: its form. */
enum {
  MODEL_MESSAGE_PACKED,
  MODEL_MESSAGE_FILE,
  MODEL_MESSAGE_PROOF,
  MODEL_MESSAGE_SCENARIOS, /* scenario_tasks.h */
  MODEL_MESSAGE_CASES,     /* bound_tasks.h */
  MODEL_MESSAGE_PLAN       /* plan_tasks.h */
};

/* Rank 0: to be freed. path: of the problem file. NULL: no memory. */
void *model_message_pack(const EvaluatedModel *evaluated, const char *path, size_t *size);

/* Likewise of a dense problem and what its proof compares motions by: its workers carry out a proof's tasks. */
void *model_message_pack_proof(const EvaluatedModel *evaluated, const CtlBound *bound, size_t *size);

/* A worker's builder of these. options: borrowed. */
CtlBuilder model_message_builder(const Options *options);

#endif
