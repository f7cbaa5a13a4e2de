#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/process/settings.h"
#include "src/process/stop_signal.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Command *const commands[] = {&command_simulate, &command_control, &command_resume, &command_serve,
                                          &command_check,    &command_plot,    &command_report};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

/* Whether a launcher (mpirun, srun) has started this process. Alone, MPI is not initialised: a singleton's
 * MPI_Init takes longer than most simulations. */
static bool launched(void) {
  static const char *const signs[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (getenv(signs[i])) return true;
  return false;
}

static bool with_mpi;

int command_rank(void) {
  int rank = 0;
  if (with_mpi) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int command_ranks(void) {
  int ranks = 1;
  if (with_mpi) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

int command_storage(const Options *options, ModelStorage *storage, Diagnostics *diagnostics) {
  int rank = command_rank(), ranks = command_ranks(), code = 0;
  int found[2] = {MODEL_DENSE, 0};
  if (rank == 0) {
    found[0] = (int)problem_file_storage(options->argument, options->settings, options->n_settings);
    found[1] = problem_file_wants_petsc(options->argument, options->settings, options->n_settings);
  }
  if (ranks > 1) MPI_Bcast(found, 2, MPI_INT, 0, MPI_COMM_WORLD);
  *storage = (ModelStorage)found[0];
  bool given = *options->petsc, useless = given && *storage == MODEL_DENSE;
  bool needed = found[1] || *storage == MODEL_SPARSE || (*storage == MODEL_STRING && (ranks > 1 || given));
  if (needed && process_petsc_start(given ? options->petsc : NULL) != SIM_OK) code = EXIT_USAGE;
  if (rank == 0 && useless)
    diagnostics_error(diagnostics, code, "%s: options of the solvers of sparse models, which this is not",
                      options->petsc);
  else if (rank == 0 && code)
    diagnostics_error(diagnostics, code, "PETSc does not take %s", given ? options->petsc : "its own options");
  return useless ? EXIT_USAGE : code;
}

static void usage(FILE *out) {
  fprintf(out, "stiction: simulation and optimal control of mechanical systems with dry friction\n\n"
               "usage: stiction COMMAND FILE|DIR [options]\n"
               "       mpirun -n P stiction control FILE|resume DIR|serve SPOOL [options]\n\n");
  for (int i = 0; i < N_COMMANDS; i++)
    fprintf(out, "  %-8s %-5s  %s\n", commands[i]->name, commands[i]->argument, commands[i]->summary);
  fprintf(out, "\n`stiction COMMAND --help` tells more of a command; `stiction --version` tells the version.\n"
               "Exit codes: 0 done (control: target met), 2 bad usage, problem file or directory, 3 target not met,\n"
               "4 an evaluation or a solver failed, 70 internal error, 85 stopped on a signal after a checkpoint.\n");
}

static int dispatch(int argc, char **argv, Diagnostics *diagnostics) {
  bool first = command_rank() == 0;
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    if (first) usage(stdout);
    return EXIT_DONE;
  }
  if (strcmp(name, "--version") == 0) {
    if (first) printf("stiction %s\n", STICTION_VERSION);
    return EXIT_DONE;
  }
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(name, commands[i]->name)) continue;
    Options options;
    static char origin[32];
    snprintf(origin, sizeof origin, "stiction %s", name);
    diagnostics->origin = origin;
    int code = options_read(commands[i], argc, argv, first ? diagnostics : NULL, &options);
    if (code) return code;
    if (commands[i]->stops && !options.help) stop_signal_watch();
    if (!options.help) return commands[i]->run(&options, diagnostics);
    if (first) options_help(commands[i], stdout);
    return EXIT_DONE;
  }
  if (first && argc > 1) diagnostics_error(diagnostics, EXIT_USAGE, "unknown command '%s' (see stiction --help)", name);
  if (argc <= 1 && first) usage(stderr);
  return EXIT_USAGE;
}

int main(int argc, char **argv) {
  Diagnostics diagnostics = {.stream = stderr};
  process_prepare();
  with_mpi = launched();
  int threads = MPI_THREAD_SERIALIZED; /* local methods run in a thread of their own, in turn with the caller */
  if (with_mpi) MPI_Init_thread(&argc, &argv, threads, &threads);
  int code = threads < MPI_THREAD_SERIALIZED
                 ? diagnostics_error(&diagnostics, EXIT_INTERNAL, "this MPI has no MPI_THREAD_SERIALIZED")
                 : dispatch(argc, argv, &diagnostics);
  if (fflush(stdout) || ferror(stdout)) {
    int failed = diagnostics_error(&diagnostics, EXIT_INTERNAL, "standard output could not be written");
    if (code == EXIT_DONE) code = failed;
  }
  return process_end(code);
}
