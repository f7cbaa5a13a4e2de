#ifndef SRC_BASE_EDIT_DISTANCE_H
#define SRC_BASE_EDIT_DISTANCE_H

enum { WORD_LENGTH_MAX = 64 };

/* Levenshtein's: how many letters to change, insert or remove. Both words at most WORD_LENGTH_MAX long. */
int edit_distance(const char *a, const char *b);

#endif
