#include "src/results/sweep_results.h"

#include "src/base/exit_code.h"

#include <string.h>
#include <unistd.h>

static bool is_there(const char *directory, const char *name) {
  char path[FILE_PATH_SIZE];
  return snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path && access(path, F_OK) == 0;
}

bool sweep_results_there(const char *directory) {
  return is_there(directory, "sweep.csv") && !is_there(directory, "summary.json");
}

int sweep_results_axes(const Table *sweep) { return table_find(sweep, "outcome") - 1; }

int sweep_results_read(Table *sweep, const char *directory, Diagnostics *diagnostics) {
  int code = table_read_texts(sweep, directory, "sweep.csv", diagnostics);
  if (code || (sweep->columns > 0 && strcmp(sweep->names[0], "run") == 0 && sweep_results_axes(sweep) > 0)) return code;
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "%s/sweep.csv:1:1: not the table of a sweep (expected run, what was varied, outcome, ..)",
                           directory);
}
