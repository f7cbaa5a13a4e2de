/* Prints the answer of stiction --version: the version, the sources and the libraries. */
#include "sim/version.h"
#include "sim/internal.h"
#include "src/base/formats.h"
#include "src/commands.h"

#include <mpi.h>
#include <string.h>

const char *source_commit(void); /* the commit from which the program was built, set by commit.cmake */

/* Prints the first part of MPI's description of itself, e.g. "Open MPI v4.1.4", up to its first comma. */
static void print_mpi(FILE *out) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length, major, minor;
  MPI_Get_library_version(text, &length);
  MPI_Get_version(&major, &minor);
  fprintf(out, "%.*s (MPI %d.%d)", (int)strcspn(text, ",\n"), text, major, minor);
}

/* Prints the kernels of the batch evaluation, and whether this processor supports each. */
static void print_kernels(FILE *out) {
  for (int k = 0; sim_kernel_name(k); k++)
    fprintf(out, "%s%s%s", k ? ", " : "", sim_kernel_name(k), sim_kernel_runs(k) ? "" : " (not on this processor)");
}

void version_print(FILE *out) {
  fprintf(out, "stiction %s (sources %s)\n", STICTION_VERSION, source_hash());
  if (*source_commit()) fprintf(out, "commit     %s\n", source_commit());
  fprintf(out, "libraries  ");
  print_mpi(out);
  fprintf(out, ", " BUILD_LIBRARIES "\n");
  fprintf(out, "built by   " BUILD_COMPILER "\n");
  fprintf(out, "kernels    ");
  print_kernels(out);
  fprintf(out, "\n");
}
