/* Paths of values in problem files and results: keys with dots between, and entries of lists in brackets, counted from
 * 1: "model.friction[2]". */
#ifndef SRC_BASE_PATH_H
#define SRC_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* A key or an index of a path. */
typedef struct PathStep {
  const char *key; /* [length] key of a mapping; NULL: an entry of a list */
  size_t length;
  size_t entry; /* number of the entry, from 1 */
} PathStep;

/* Reads the first step of a non-empty path; returns the rest of the path. */
const char *path_step(const char *path, PathStep *step);

/* Number of steps of a path; 0 if it is not a valid path, e.g. with two dots in a row. */
size_t path_steps(const char *path);

/* Whether a path uses the former notation for entries, counted from 0 after a dot: "model.friction.1". modern [size]:
 * the same path with brackets. */
bool path_is_old(const char *path, char *modern, size_t size);

#endif
