/* A search as a run of a sweep: it writes no line, and its summary is kept in memory. */
#ifndef SRC_SEARCH_SWEPT_SEARCH_H
#define SRC_SEARCH_SWEPT_SEARCH_H

#include "src/run/message.h"
#include "src/search/messages.h"
#include "src/study/sweep_worker.h"

extern const SweepSearches swept_searches;

/* A worker's evaluator of a sweep (messages.c). SIM_OK or SIM_NO_MEMORY. */
SimStatus swept_search_build(const MessageReader *reader, MessageForm form, const char *bytes, size_t size,
                             void **owner, CtlEvaluator *evaluator);

#endif
