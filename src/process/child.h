/* HDF5 (1.10) crashes on some damaged files, and does not come to the end of others: a process of its own opens them first. */
#ifndef SRC_PROCESS_CHILD_H
#define SRC_PROCESS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* fork. The child leaves no core, says nothing, and has 300 s of the processor. */
pid_t process_child(void);

/* Waits for the child. Whether it ended by itself, with exit code 0. */
bool process_child_ended(pid_t child);

#endif
