/* A search as a run of a sweep: it writes no line, and its summary is kept in memory. */
#ifndef SRC_SEARCH_SWEPT_SEARCH_H
#define SRC_SEARCH_SWEPT_SEARCH_H

#include "src/study/sweep_worker.h"

/* How the ranks of a sweep build what they are sent, and carry out searches. options: borrowed. */
SweepBuilding swept_building(const Options *options);

#endif
