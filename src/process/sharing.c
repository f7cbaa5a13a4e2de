#include "src/process/sharing.h"

Sharing sharing_alone(void) { return (Sharing){.comm = MPI_COMM_NULL, .copies = 1}; }

bool sharing_create(MPI_Comm comm, Sharing *sharing, Diagnostics *diagnostics) {
  int size = 1, rank = 0;
  *sharing = sharing_alone();
  if (comm != MPI_COMM_NULL) MPI_Comm_size(comm, &size);
  if (size == 1) return true;
  sharing->comm = comm;
  if (sim_group_create(comm, &sharing->group) == SIM_OK) return true;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) diagnostics_no_memory(diagnostics);
  return false;
}

void sharing_clear(Sharing *sharing) {
  sim_group_destroy(sharing->group);
  *sharing = sharing_alone();
}

int sharing_agree(const Sharing *sharing, int code) {
  int all = code;
  if (sharing->comm != MPI_COMM_NULL) MPI_Allreduce(&code, &all, 1, MPI_INT, MPI_MAX, sharing->comm);
  return all;
}

int sharing_rank(const Sharing *sharing) { return sim_group_rank(sharing->group); }
