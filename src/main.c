#include "sim/group.h"
#include "src/base/exit_code.h"
#include "src/commands.h"

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

int command_storage(const Options *options, ModelStorage *storage) {
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
  if (needed && sim_petsc_start(given ? options->petsc : NULL) != SIM_OK) code = EXIT_USAGE;
  if (rank == 0 && useless)
    fprintf(stderr, "stiction: %s: options of the solvers of sparse models, which this is not\n", options->petsc);
  else if (rank == 0 && code)
    fprintf(stderr, "stiction: PETSc does not take %s\n", given ? options->petsc : "its own options");
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

static int dispatch(int argc, char **argv) {
  FILE *errors = command_rank() == 0 ? stderr : NULL;
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    if (errors) usage(stdout);
    return EXIT_DONE;
  }
  if (strcmp(name, "--version") == 0) {
    if (errors) printf("stiction %s\n", STICTION_VERSION);
    return EXIT_DONE;
  }
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(name, commands[i]->name)) continue;
    Options options;
    int code = options_read(commands[i], argc, argv, errors, &options);
    if (code) return code;
    if (!options.help) return commands[i]->run(&options);
    if (errors) options_help(commands[i], stdout);
    return EXIT_DONE;
  }
  if (errors && argc > 1)
    fprintf(errors, "stiction: unknown command '%s' (see stiction --help)\n", name);
  else if (errors)
    usage(errors);
  return EXIT_USAGE;
}

int main(int argc, char **argv) {
  with_mpi = launched();
  int threads = MPI_THREAD_SERIALIZED; /* local methods run in a thread of their own, in turn with the caller */
  if (with_mpi) MPI_Init_thread(&argc, &argv, threads, &threads);
  if (threads < MPI_THREAD_SERIALIZED) fprintf(stderr, "stiction: this MPI has no MPI_THREAD_SERIALIZED\n");
  int code = threads < MPI_THREAD_SERIALIZED ? EXIT_INTERNAL : dispatch(argc, argv);
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "stiction: standard output could not be written\n");
    if (code == EXIT_DONE) code = EXIT_INTERNAL;
  }
  sim_petsc_stop();
  if (with_mpi) MPI_Finalize();
  return code;
}
