#ifndef SRC_BASE_EDIT_DISTANCE_H
#define SRC_BASE_EDIT_DISTANCE_H

enum { WORD_LENGTH_MAX = 64 };

/* Levenshtein distance: number of letters to change, insert or remove. Both words have at most WORD_LENGTH_MAX
 * letters. */
int edit_distance(const char *a, const char *b);

#endif
