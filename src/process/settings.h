/* Settings of the whole process, made only by its main: malloc's arenas, standard streams, and the end of the
 * process. */
#ifndef SRC_SETTINGS_H
#define SRC_SETTINGS_H

#include "sim/internal.h"

/* Call this first, before any thread. Closed standard streams are opened on /dev/null. A file that exceeds a limit
 * gives a write error. Every thread may have its own arena of malloc, whatever the environment says, so that a thread
 * abandoned inside malloc blocks no other. If a library that would not report it (Jansson, C++) runs out of memory, the
 * process reports it and ends all ranks with EXIT_INTERNAL. */
void process_prepare(void);

/* For processes that spawn workers (ctl_pool_spawn): writing to a dead worker returns an error instead of ending the
 * process. */
void process_ignore_broken_pipes(void);

/* Ends main: ends PETSc, and MPI if it was initialised (then collective), and returns code. If a thread was abandoned
 * (stiction_thread_left), it exits with that code directly, as a normal end would wait for the thread. */
int process_end(int code);

#endif
