/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs child processes that open a HDF5 file before this process does, since HDF5 (1.10) crashes on some damaged files
 * and hangs on others. */
#ifndef SRC_PROCESS_CHILD_H
#define SRC_PROCESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Forks a child that writes no core file, prints nothing, and has 300 s of processor time. */
pid_t process_child(void);

/* Waits for the child. Returns whether it exited with code 0. */
bool process_child_ended(pid_t child);

#endif
