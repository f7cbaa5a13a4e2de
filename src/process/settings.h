/* What is the whole process's, and so set by its main alone: malloc's arenas, standard streams, and the way out. */
#ifndef SRC_SETTINGS_H
#define SRC_SETTINGS_H

#include "sim/internal.h"

/* First of all, before any thread: standard streams that are closed lead to /dev/null; a file that grows beyond a limit is an
 * error of its write; every thread may have an arena of malloc of its own, whatever the environment says, so that one that a
 * local method has left within malloc holds up nobody; where a library that would not say so (Jansson, C++'s) has no memory,
 * the process says it and ends with EXIT_INTERNAL, and with it all ranks. */
void process_prepare(void);

/* For who spawns workers (ctl_pool_spawn): a write to one that has died fails, and does not end this process. */
void process_ignore_broken_pipes(void);

/* The end of main: ends PETSc, and MPI if it has been initialised (collective then), and returns code. Where a thread has been
 * left (ctl_thread_left), it ends the process with that code, without what would wait for the thread. */
int process_end(int code);

#endif
