/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/process/process.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Returns the number that follows `key` in the first line of a file that starts with it. If key is empty, returns the
 * number at the start of the file. Returns `otherwise` if there is no such line. */
static double number_in(const char *path, const char *key, double otherwise) {
  char line[256];
  double value = otherwise;
  size_t length = strlen(key);
  FILE *file = fopen(path, "r");
  if (!file) return otherwise;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, key, length) == 0 && sscanf(line + length, "%lf", &value) == 1) break;
  fclose(file);
  return value;
}

/* Returns how much memory, in bytes, a control group of Linux still allows; INFINITY if it has no limit. Memory for
 * cached files counts as free, since the kernel can drop it. */
static double left_in_group(const char *folder, const char *limit, const char *usage, const char *cached) {
  char path[1280];
  snprintf(path, sizeof path, "%s/%s", folder, limit);
  double most = number_in(path, "", INFINITY);
  snprintf(path, sizeof path, "%s/%s", folder, usage);
  double used = number_in(path, "", 0);
  snprintf(path, sizeof path, "%s/memory.stat", folder);
  return fmax(most - used + number_in(path, cached, 0), 0);
}

/* Returns the least memory that any control group of this process allows, up to the root of the groups, for version 1
 * or 2 of control groups. */
static double left_in_groups(void) {
  char line[1024], folder[1200];
  double least = INFINITY;
  FILE *file = fopen("/proc/self/cgroup", "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    bool second = strncmp(line, "0::/", 4) == 0;
    char *path = second ? line + 3 : strstr(line, ":memory:/");
    if (!path) continue;
    if (!second) path += strlen(":memory:");
    for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
      *end = '\0';
      snprintf(folder, sizeof folder, "/sys/fs/cgroup%s%s", second ? "" : "/memory", path);
      least = fmin(least, second ? left_in_group(folder, "memory.max", "memory.current", "inactive_file ")
                                 : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                                 "total_inactive_file "));
    }
  }
  if (file) fclose(file);
  return least;
}

double memory_available(void) {
  return fmin(1024 * number_in("/proc/meminfo", "MemAvailable:", INFINITY), left_in_groups());
}
