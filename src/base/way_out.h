/* What to do where a problem file has no word for what is wanted. */
#ifndef SRC_BASE_WAY_OUT_H
#define SRC_BASE_WAY_OUT_H

#include <stdbool.h>

/* Whether a text has another in it, small letters or not. */
bool text_has(const char *text, const char *part);

/* Returns the way out for an unknown key (its path) or word, a sentence; NULL: none is known. */
const char *way_out(const char *unknown);

#endif
