/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

/* Returns the length, with brackets, of a list entry such as "[2]" at the start of text; 0 if text does not begin with
 * one. */
static size_t entry_length(const char *text) {
  size_t n = *text == '[' ? digits(text + 1) : 0;
  return n && text[n + 1] == ']' ? n + 2 : 0;
}

const char *path_step(const char *path, PathStep *step) {
  path += *path == '.';
  size_t entry = entry_length(path), key = strcspn(path, ".[");
  if (entry) {
    *step = (PathStep){.entry = strtoul(path + 1, NULL, 10)};
    return path + entry;
  }
  if (!key) key = strlen(path); /* a path that begins with a bracket but with no valid entry is taken as a single key */
  *step = (PathStep){.key = path, .length = key};
  return path + key;
}

size_t path_steps(const char *path) {
  size_t n = 0;
  for (; n == 0 || *path; n++) {
    size_t entry = n > 0 ? entry_length(path) : 0;
    bool dot = n > 0 && *path == '.';
    size_t key = strcspn(path + dot, ".[");
    if (!entry && (!key || (n > 0 && !dot))) return 0;
    path += entry ? entry : dot + key;
  }
  return n;
}

bool path_is_old(const char *path, char *modern, size_t size) {
  bool old = false;
  size_t length = 0;
  while (*path && length + 1 < size) {
    size_t n = *path == '.' ? digits(path + 1) : 0;
    bool entry = n && strchr(".[", path[n + 1]); /* "." or "[" means that the path continues, NUL that it ends */
    if (entry) {
      int added = snprintf(modern + length, size - length, "[%lu]", strtoul(path + 1, NULL, 10) + 1);
      length += (size_t)added;
      path += n + 1;
    } else {
      modern[length++] = *path++;
    }
    old = old || entry;
  }
  modern[length < size ? length : size - 1] = '\0';
  return old;
}
