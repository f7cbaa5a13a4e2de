#include "src/commands.h"
#include "src/exit_code.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Command *const commands[] = {&command_simulate, &command_control, &command_resume, &command_check};
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

static void usage(FILE *out) {
  fprintf(out, "stiction: simulation and optimal control of mechanical systems with dry friction\n\n"
               "usage: stiction COMMAND FILE [options]\n"
               "       mpirun -n P stiction control FILE [options]\n\n");
  for (int i = 0; i < N_COMMANDS; i++) fprintf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
  fprintf(out, "\n`stiction COMMAND --help` tells more of a command; `stiction --version` tells the version.\n"
               "Exit codes: 0 done (control: target met), 2 bad usage or problem file, 3 target not met,\n"
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
  if (with_mpi) MPI_Init(&argc, &argv);
  int code = dispatch(argc, argv);
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "stiction: standard output could not be written\n");
    if (code == EXIT_DONE) code = EXIT_INTERNAL;
  }
  if (with_mpi) MPI_Finalize();
  return code;
}
