/* A pool whose workers rank 0 spawns itself, one by one, and replaces when they die. For a program started by
 * `mpirun -n 1 --enable-recovery`: each worker is a job of its own to MPI, so that the death of one is not the others'.
 * All talk is point to point; MPI never reports a death. Rank 0 notices it by the process, where the worker is on its own
 * machine, or else by the deadline of its work; a worker of its own machine that is late is killed. Not under srun, where
 * Open MPI cannot spawn. */
#ifndef CONTROL_POOL_ELASTIC_H
#define CONTROL_POOL_ELASTIC_H

#include "control/pool.h"

typedef struct CtlSpawn {
  const char *program;
  char **arguments; /* NULL at the end, without the program's name */
  int workers;
  int respawns; /* at most, all workers together */
} CtlSpawn;

/* Spawns the workers, each of which must call ctl_pool_serve_spawned. spawn: borrowed. SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM when MPI cannot spawn any; fewer than wanted are no error, as the missing are spawned later. From then
 * on this process ignores SIGPIPE, with which it would die of a letter to a dead worker. */
SimStatus ctl_pool_spawn(const CtlSpawn *spawn, const CtlPoolOptions *options, CtlPool **pool);

/* ctl_pool_serve, for a spawned process (MPI_Comm_get_parent is not MPI_COMM_NULL). The caller must then end by _exit:
 * MPI_Finalize could wait for others. The process ends within a second when rank 0, on the same machine, has died. Besides
 * ctl_pool_serve's, SIM_NOT_FINISHED: rank 0 has said nothing. */
SimStatus ctl_pool_serve_spawned(const CtlBuilder *builder);

#endif
