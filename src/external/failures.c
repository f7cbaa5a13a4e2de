/* SPDX-License-Identifier: BSD-2-Clause */
/* After a search with an external program, reports the folders of points at which the program failed. */
#define _XOPEN_SOURCE 700 /* declares scandir and st_mtim */
#include "src/external/point.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool first_line(const char *path, char *line, int size) {
  FILE *file = fopen(path, "r");
  bool good = file && fgets(line, size, file);
  if (file) fclose(file);
  if (good) line[strcspn(line, "\n")] = '\0';
  return good;
}

/* Reads the last lines of a file into `text`. */
static void last_lines(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  *text = '\0';
  if (!file) return;
  if (fseek(file, -(long)(size - 1), SEEK_END)) rewind(file);
  size_t n = fread(text, 1, size - 1, file);
  fclose(file);
  while (n && (text[n - 1] == '\n' || text[n - 1] == ' ')) n--;
  text[n] = '\0';
  for (size_t i = 0; i < n; i++) /* replaces control characters, which a terminal would obey */
    if ((unsigned char)text[i] < ' ' && text[i] != '\n' && text[i] != '\t') text[i] = '?';
}

static void count(PointFailures *failures, const char *reason) {
  long *const counts[] = {&failures->exits, &failures->signals, &failures->timeouts, &failures->outputs};
  static const char *const kinds[] = {POINT_FAILED_BY_EXIT, POINT_FAILED_BY_SIGNAL, POINT_FAILED_BY_TIME, ""};
  int k = 0;
  while (strncmp(reason, kinds[k], strlen(kinds[k])) != 0) k++;
  ++*counts[k];
}

/* Returns whether a folder belongs to the same point as `before`, the previous folder in alphabetical order. A point
 * has several folders if it fails again after `resume`. */
static bool is_again(const char *name, const char *before) {
  return before && strncmp(name, before, POINT_NAME_SIZE) == 0;
}

static bool is_before(struct timespec a, struct timespec b) {
  return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

void point_failures_find(const char *points, PointFailures *failures) {
  struct dirent **list = NULL;
  struct timespec least = {0};
  *failures = (PointFailures){0};
  int n = scandir(points, &list, NULL, alphasort), counted = -1;
  for (int i = 0; i < n; i++) {
    char path[2 * FILE_PATH_SIZE], reason[REASON_SIZE];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s/failure", points, list[i]->d_name);
    if (list[i]->d_name[0] != '.' && !stat(path, &status) && first_line(path, reason, sizeof reason)) {
      if (!is_again(list[i]->d_name, counted < 0 ? NULL : list[counted]->d_name)) count(failures, reason);
      counted = i;
      if (!*failures->first || is_before(status.st_mtim, least)) {
        least = status.st_mtim;
        memcpy(failures->reason, reason, sizeof reason);
        snprintf(failures->first, sizeof failures->first, "%s/%s", points, list[i]->d_name);
      }
    }
  }
  for (int i = 0; i < n; i++) free(list[i]);
  free(list);
  char path[FILE_PATH_SIZE + 8];
  snprintf(path, sizeof path, "%s/stderr", failures->first);
  if (*failures->first) last_lines(path, failures->errors, sizeof failures->errors);
}
