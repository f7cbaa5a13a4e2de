/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of values in problem files and results. Keys are separated by dots; entries of lists are in brackets and
 * counted from 1. Example: "model.friction[2]". */
#ifndef SRC_BASE_PATH_H
#define SRC_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* A step of a path: a key, or an entry of a list. */
typedef struct PathStep {
  const char *key; /* [length] the key, not terminated by NUL; NULL if the step is an entry of a list */
  size_t length;
  size_t entry; /* number of the entry, from 1 */
} PathStep;

/* Reads the first step of a non-empty path. Returns the rest of the path. */
const char *path_step(const char *path, PathStep *step);

/* Returns the number of steps of a path; 0 if the path is invalid, e.g. has two dots in a row. */
size_t path_steps(const char *path);

/* Returns whether a path uses the former notation of list entries, in which they follow a dot and count from 0, e.g.
 * "model.friction.1". If so, sets modern [size] to the path in the present notation, "model.friction[2]". */
bool path_is_old(const char *path, char *modern, size_t size);

#endif
