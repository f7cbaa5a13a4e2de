/* Advice after a search that found no control that meets the target. */
#ifndef SRC_MISS_ADVICE_H
#define SRC_MISS_ADVICE_H

#include "control/control.h"
#include "src/file/sections/file.h"
#include "src/run/verification.h"
#include "src/search/further_searches.h"

enum { MISS_ADVICE_SIZE = 256 };

/* Writes advice from the search's problem, its final state, and the exact motion: settings and times, the most
 * promising first, separated by commas. */
void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]);

#endif
