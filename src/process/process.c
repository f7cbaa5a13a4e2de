#include "src/process/process.h"

#include "sim/group.h"

#include <stdlib.h>

static bool with_mpi;
static SimGroup *all; /* MPI_Finalize frees what it is of MPI */

static bool launched(void) {
  static const char *const signs[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (getenv(signs[i])) return true;
  return false;
}

bool process_start(int *argc, char ***argv) {
  int threads = MPI_THREAD_SERIALIZED; /* local methods run in a thread of their own, in turn with the caller */
  with_mpi = launched();
  if (!with_mpi) return true;
  MPI_Init_thread(argc, argv, threads, &threads);
  if (sim_group_create(MPI_COMM_WORLD, &all) != SIM_OK) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  return threads >= MPI_THREAD_SERIALIZED;
}

bool process_with_mpi(void) { return with_mpi; }
int process_rank(void) { return sim_group_rank(all); }
int process_ranks(void) { return sim_group_size(all); }
SimGroup *process_group(void) { return all; }
