/* Advice for unknown keys and words: how to achieve what the user probably wants. */
#ifndef SRC_BASE_WAY_OUT_H
#define SRC_BASE_WAY_OUT_H

#include <stdbool.h>

/* Whether text contains part; ignores case. */
bool text_has(const char *text, const char *part);

/* Returns the advice, a sentence, for an unknown key (its path) or word; NULL if there is none. */
const char *way_out(const char *unknown);

#endif
