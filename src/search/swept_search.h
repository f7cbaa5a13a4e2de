/* A search as a run of a sweep: it writes no line, and its summary is kept in memory. */
#ifndef SRC_SEARCH_SWEPT_SEARCH_H
#define SRC_SEARCH_SWEPT_SEARCH_H

#include "src/study/sweep_searches.h"

extern const SweepSearches swept_searches;

#endif
