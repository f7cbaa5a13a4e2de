/* Paths of values in problem files and results: keys with dots between, and entries of lists in brackets, counted from 1:
 * "model.friction[2]". */
#ifndef SRC_BASE_PATH_H
#define SRC_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* One step down from a value. */
typedef struct PathStep {
  const char *key; /* [length] of a mapping; NULL: an entry of a list */
  size_t length;
  size_t entry; /* its number, from 1 */
} PathStep;

/* The first step of a path that is not empty; returns what follows. */
const char *path_step(const char *path, PathStep *step);

/* How many steps a path has; 0: it is no path, as with two dots side by side. */
size_t path_steps(const char *path);

/* Whether a path names an entry in the form that is no longer read, by its number from 0 behind a dot: "model.friction.1".
 * modern [size]: the same in brackets. */
bool path_is_old(const char *path, char *modern, size_t size);

#endif
