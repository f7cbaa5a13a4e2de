/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/process/process.h"

#include "sim/group.h"
#include "src/base/diagnostics.h"
#include "src/process/hdf5_library.h"

#include <stdio.h>
#include <stdlib.h>

static bool with_mpi;
static SimGroup *all; /* group of all ranks; it is never destroyed, as MPI_Finalize frees its MPI objects */

/* Handles errors of MPI: reports the error and ends all ranks with EXIT_INTERNAL. MPI's own handler would exit with the
 * number of the error. */
static void end_all(MPI_Comm *comm, int *error, ...) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length;
  (void)comm;
  MPI_Error_string(*error, text, &length);
  diagnostics_error(&(Diagnostics){.report = diagnostic_print, .to = stderr}, EXIT_INTERNAL,
                    "rank %d: MPI fails (%s): all are ended", process_rank(), text);
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
}

/* Sets the error handler on MPI_COMM_WORLD; communicators derived from it inherit it. */
static void handle_errors(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(end_all, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
}

bool process_start(int *argc, char ***argv) {
  int threads = MPI_THREAD_SERIALIZED; /* a local method of the search runs in a thread of its own; this thread and the
                                        * main thread call MPI in turns */
  with_mpi = sim_mpi_launched();
  if (!with_mpi) return true;
  /* Limits the time, in s, for which MPI_Comm_spawn waits for the processes that it has started. By default Open MPI
   * waits without limit, even if these processes were killed. */
  setenv("OMPI_MCA_pmix_base_exchange_timeout", "30", 0);
  hdf5_begin(NULL); /* no diagnostics: an error is reported later, if HDF5 is needed */
  MPI_Init_thread(argc, argv, threads, &threads);
  handle_errors();
  if (stiction_group_create(MPI_COMM_WORLD, &all) != SIM_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  return threads >= MPI_THREAD_SERIALIZED;
}

int process_start_petsc(const char *options, Diagnostics *diagnostics) {
  if (!with_mpi)
    hdf5_begin(NULL); /* HDF5 must be started before MPI; the next call starts MPI, and PETSc may load HDF5 */
  SimStatus status = stiction_petsc_start(options);
  if (status == SIM_OK) return 0;
  if (status == SIM_BAD_ARGUMENT)
    return diagnostics_error(diagnostics, EXIT_INTERNAL, "%s", stiction_status_text(status));
  return diagnostics_error(diagnostics, options ? EXIT_USAGE : EXIT_INTERNAL, "PETSc does not take %s",
                           options ? options : "its own options");
}

bool process_with_mpi(void) { return with_mpi; }
int process_rank(void) { return stiction_group_rank(all); }
int process_ranks(void) { return stiction_group_size(all); }
SimGroup *process_group(void) { return all; }

void process_end_all(int code, Diagnostics *diagnostics, const char *why) {
  diagnostics_error(diagnostics, code, "%s", why);
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, code);
}

void process_end_without_memory(Diagnostics *diagnostics) {
  diagnostics_error(diagnostics, EXIT_INTERNAL, "rank %d is out of memory", process_rank());
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
}
