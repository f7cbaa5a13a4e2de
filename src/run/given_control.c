#include "src/run/given_control.h"

#include "sim/group.h"
#include "src/base/exit_code.h"
#include "src/readback/saved_control.h"
#include "src/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

/* u1,u2,... with exactly p entries. */
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

static int read_control(const char *given, const SimProblem *sim, double *control, Diagnostics *diagnostics) {
  struct stat info;
  char message[SAVED_CONTROL_MESSAGE_SIZE];
  if (stat(given, &info) || !S_ISDIR(info.st_mode))
    return parse_control(given, sim_problem_variables(sim), control, diagnostics);
  if (saved_control_read(given, sim, control, message)) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "%s", message);
}

/* The control to apply, and that its directory is not the one to be written. */
static int find_control(const Options *options, const Problem *problem, double *control, Diagnostics *diagnostics) {
  if (!options->control) return 0;
  int code = read_control(options->control, &problem->sim, control, diagnostics);
  if (code || !results_is(options->output, options->argument, options->control)) return code;
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "%s is what is replayed: its results would be lost (-o DIR takes another place)",
                           options->control);
}

int given_control(const Options *options, const Problem *problem, const SimGroup *group, double *control,
                  Diagnostics *diagnostics) {
  int code =
      sim_group_agree(group, sim_group_rank(group) == 0 ? find_control(options, problem, control, diagnostics) : 0);
  if (!code) sim_group_share(group, control, (size_t)sim_problem_variables(&problem->sim) * sizeof *control);
  return code;
}

void given_control_segments(const Options *options, Problem *problem) {
  struct stat info;
  bool directory = options->control && stat(options->control, &info) == 0 && S_ISDIR(info.st_mode);
  if (directory && problem->refine_to > problem->sim.segments && sim_force_in_pieces(&problem->sim)) {
    problem->sim.segments = problem->refine_to;
    sim_problem_finalize(&problem->sim, NULL);
  }
}
