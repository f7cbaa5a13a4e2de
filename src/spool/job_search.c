/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_list.h"
#include "src/spool/spool_read.h"

#include "src/base/json_values.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first columns of search.csv, which are the same in all versions of the file. */
static const char *const columns[] = {"round", "evaluations", "best", "J", "E1", "E2", "edge"};
enum { COLUMNS = sizeof columns / sizeof *columns, LINE_SIZE = 1024 };

/* Returns the offset of the first line that begins at `from` > 0 or later; `size`, the size of the file, if there is
 * none. */
static off_t next_line(int file, off_t from, off_t size) {
  char block[LINE_SIZE];
  for (off_t at = from - 1; at < size;) {
    ssize_t got = pread(file, block, sizeof block, at);
    const char *end = got > 0 ? memchr(block, '\n', (size_t)got) : NULL;
    if (got <= 0) break;
    if (end) return at + (end - block) + 1;
    at += got;
  }
  return size;
}

/* Returns the numbers in the line at an offset; NULL if the line is incomplete, or there is no memory. */
static json_t *read_row(int file, off_t at) {
  char text[LINE_SIZE];
  ssize_t got = pread(file, text, sizeof text - 1, at);
  json_t *row = json_array();
  text[got > 0 ? got : 0] = 0;
  const char *line = text;
  for (int k = 0; k < COLUMNS && row; k++) {
    char *end;
    double number = strtod(line, &end);
    bool good = end > line && *end == ',' && json_array_append_new(row, json_finite(number)) == 0;
    line = end + 1;
    if (good) continue;
    json_decref(row);
    row = NULL;
  }
  return row;
}

static json_t *names(void) {
  json_t *list = json_array();
  for (int k = 0; k < COLUMNS && list; k++)
    if (json_array_append_new(list, json_string(columns[k]))) return json_if(false, list);
  return list;
}

static json_t *rows(int file, off_t size, int most) {
  json_t *list = json_array();
  off_t first = next_line(file, 1, size), last = spool_last_line(file, size), before = -1;
  for (int k = 0; k < most && list && last >= first; k++) {
    off_t at = next_line(file, first + (last - first) * k / (most - 1), size);
    json_t *row = at == before || at > last ? NULL : read_row(file, at);
    before = at;
    if (row && json_array_append_new(list, row)) return json_if(false, list);
  }
  return list;
}

json_t *job_search(const SpoolFolders *spool, SpoolFolder state, const char *name, int most) {
  struct stat info;
  int folder = spool_open_job(spool, state, name),
      file = folder < 0 ? -1 : spool_open_shown(folder, "search.csv", &info);
  json_t *search =
      file < 0 ? NULL : json_pack("{s:o, s:o}", "columns", names(), "rows", rows(file, info.st_size, most));
  if (file >= 0) close(file);
  if (folder >= 0) close(folder);
  return search;
}
