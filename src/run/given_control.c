/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/given_control.h"

#include "sim/group.h"
#include "src/base/file_open.h"
#include "src/file/sections/saved_control.h"
#include "src/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads the numbers of a control, u1,u2,.., of which there must be exactly p. */
static int parse_control(const char *text, int p, double *control, Diagnostics *diagnostics) {
  const char *from = text;
  if (p == 0) return diagnostics_error(diagnostics, EXIT_USAGE, "--control %s: the problem has no control", text);
  for (int i = 0; i < p; i++) {
    char *end;
    control[i] = strtod(from, &end);
    bool last = i == p - 1;
    if (end == from || *end != (last ? 0 : ',') || !(control[i] - control[i] == 0))
      return diagnostics_error(diagnostics, EXIT_USAGE,
                               "--control: expected a results directory or %d finite number%s, not '%s'", p,
                               p == 1 ? "" : "s separated by commas", text);
    from = end + 1;
  }
  return 0;
}

bool given_control_is_start(const char *given) { return strcmp(given, "start") == 0; }

static int take_start(const Problem *problem, double *control, Diagnostics *diagnostics) {
  if (!problem->has_control)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--control start: the file has no section control");
  memcpy(control, problem->control.start, (size_t)problem->control.n * sizeof *control);
  return 0;
}

/* Returns the directory in a text DIR or DIR:grid; "" if its path is too long. */
static const char *directory_of(const char *given, char directory[FILE_PATH_SIZE]) {
  size_t length = saved_control_directory(given);
  snprintf(directory, FILE_PATH_SIZE, "%.*s", length < FILE_PATH_SIZE ? (int)length : 0, given);
  return directory;
}

bool given_control_is_directory(const char *given) {
  struct stat info;
  char directory[FILE_PATH_SIZE];
  return stat(directory_of(given, directory), &info) == 0 && S_ISDIR(info.st_mode);
}

static int read_control(const char *given, const Problem *problem, double *control, Diagnostics *diagnostics) {
  const SimProblem *sim = &problem->sim;
  char message[SAVED_CONTROL_MESSAGE_SIZE];
  if (given_control_is_start(given)) return take_start(problem, control, diagnostics);
  if (!given_control_is_directory(given))
    return parse_control(given, stiction_problem_variables(sim), control, diagnostics);
  if (saved_control_read(given, sim, false, control, message)) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "%s", message);
}

/* Finds the control to apply. If it comes from a results directory, checks that results will not be written to the same
 * directory. */
static int find_control(const Options *options, const Problem *problem, double *control, Diagnostics *diagnostics) {
  if (!options->control) return 0;
  int code = read_control(options->control, problem, control, diagnostics);
  char directory[FILE_PATH_SIZE];
  directory_of(options->control, directory);
  if (code || !results_is(options->output, options->argument, directory)) return code;
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "%s is what is replayed: its results would be lost (-o DIR takes another place)", directory);
}

int given_control(const Options *options, const Problem *problem, const SimGroup *group, double *control,
                  Diagnostics *diagnostics) {
  int code = sim_group_agree(
      group, stiction_group_rank(group) == 0 ? find_control(options, problem, control, diagnostics) : 0);
  if (!code) sim_group_share(group, control, (size_t)stiction_problem_variables(&problem->sim) * sizeof *control);
  return code;
}

void given_control_segments(const Options *options, Problem *problem) {
  bool directory =
      options->control && !given_control_is_start(options->control) && given_control_is_directory(options->control);
  if (directory && problem->refine_to > problem->sim.segments && sim_force_in_pieces(&problem->sim)) {
    problem->sim.segments = problem->refine_to;
    stiction_problem_finalize(&problem->sim, NULL);
  }
}
