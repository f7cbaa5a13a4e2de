/* SPDX-License-Identifier: BSD-2-Clause */
/* Settings of the whole process, which only the main function of the program makes: malloc's arenas, standard streams,
 * and the end of the process. */
#ifndef SRC_SETTINGS_H
#define SRC_SETTINGS_H

#include "sim/internal.h"

/* Prepares the process. Must be called first, before any thread exists.
 * - Closed standard streams are opened on /dev/null.
 * - Writing beyond the limit of file size gives an error instead of a signal.
 * - Every thread may have its own arena of malloc, whatever the environment sets. Thus a thread that is abandoned
 *   inside malloc blocks no other thread.
 * - If a library that does not report lack of memory (Jansson, C++) runs out of memory, the process reports this and
 *   ends all ranks with EXIT_INTERNAL. */
void process_prepare(void);

/* Makes a write to a process that no longer exists return an error instead of ending this process. Called by processes
 * that start workers (ctl_pool_spawn). */
void process_ignore_broken_pipes(void);

/* Ends PETSc, and MPI if it is initialised, and returns `code`, which main then returns. If a thread was abandoned
 * (stiction_thread_left), exits at once with this code, as a normal end would wait for the thread. Collective if MPI is
 * initialised. */
int process_end(int code);

#endif
