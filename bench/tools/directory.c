/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/tools/directory.h"

#include "src/results/results.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

int directory_make(const char *path) {
  char part[FILE_PATH_SIZE];
  for (size_t i = 1; i <= strlen(path) && i < sizeof part; i++) {
    if (path[i] && path[i] != '/') continue;
    memcpy(part, path, i);
    part[i] = 0;
    if (mkdir(part, 0777) && errno != EEXIST) {
      perror(part);
      return EXIT_USAGE;
    }
  }
  return 0;
}
