/* What the workers of all commands make of the messages that they get: evaluators of models, proofs, scenarios, bounds, sweeps, programs. */
#ifndef SRC_SEARCH_MESSAGES_H
#define SRC_SEARCH_MESSAGES_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/options.h"

/* Borrowed by evaluators. */
typedef struct MessageReader {
  const Options *options;
  Diagnostics *diagnostics;
  const CtlEvaluator *own; /* in place of an empty message: this rank's own model; NULL: it has none */
} MessageReader;

/* The builder of these evaluators. reader: borrowed. */
CtlBuilder messages_builder(const MessageReader *reader);

#endif
