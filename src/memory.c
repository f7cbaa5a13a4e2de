#include "src/memory.h"

#include <math.h>
#include <stdio.h>

double memory_available(void) {
  double kilobytes = INFINITY;
  char line[128];
  FILE *file = fopen("/proc/meminfo", "r");
  if (!file) return INFINITY;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) == 1) break;
  fclose(file);
  return 1024 * kilobytes;
}
