/* SPDX-License-Identifier: BSD-2-Clause */
/* Advice for a word that the program does not know. */
#ifndef SRC_BASE_WAY_OUT_H
#define SRC_BASE_WAY_OUT_H

#include <stdbool.h>

/* Returns whether text contains part, ignoring case. */
bool text_has(const char *text, const char *part);

/* Returns advice, one sentence, for an unknown word or the path of an unknown key; NULL if there is none. */
const char *way_out(const char *unknown);

/* maximum number of letters of words that are compared */
enum { WORD_LENGTH_MAX = 64 };

/* Returns the Levenshtein distance of two words: the least number of letters to change, insert or remove that makes
 * them equal. Both words have at most WORD_LENGTH_MAX letters. */
int edit_distance(const char *a, const char *b);

#endif
