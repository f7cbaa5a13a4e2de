/* Suggestions for a word that is not known. */
#ifndef SRC_BASE_WAY_OUT_H
#define SRC_BASE_WAY_OUT_H

#include <stdbool.h>

/* Whether text contains part; ignores case. */
bool text_has(const char *text, const char *part);

/* Returns the advice, a sentence, for an unknown key (its path) or word; NULL if there is none. */
const char *way_out(const char *unknown);

enum { WORD_LENGTH_MAX = 64 };

/* Levenshtein distance: number of letters to change, insert or remove. Both words have at most WORD_LENGTH_MAX
 * letters. */
int edit_distance(const char *a, const char *b);

#endif
