/* Of a search that has found no control that meets the target: what may find one. */
#ifndef SRC_MISS_ADVICE_H
#define SRC_MISS_ADVICE_H

#include "control/internal.h"
#include "src/file/sections/file.h"
#include "src/run/verification.h"
#include "src/search/further_searches.h"

enum { MISS_ADVICE_SIZE = 256 };

/* The search's problem, its end, and what the motion itself does there: settings and times, the likeliest first, with commas between. */
void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]);

#endif
