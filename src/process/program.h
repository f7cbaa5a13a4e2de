/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a program, of a user or this one, until it ends or exceeds a limit. Afterwards none of its processes is left,
 * however this process ends.
 *
 *     this process -- fork --> guard -- fork, exec --> program, and all that it starts, in their own process group
 *          '------- pipe -------'   when it is closed, also by this process's death, the guard kills the group
 *
 * A process that leaves the group (setsid) becomes a child of the guard when its parent ends. Before the guard reports
 * the end of the program, it reaps or kills such children, which it finds in /proc/thread-self/children
 * (CONFIG_PROC_CHILDREN of Linux). The guard gives up a process that does not end within 5 s because it belongs to
 * another user (sudo) or waits for a disk. */
#ifndef SRC_PROCESS_PROGRAM_H
#define SRC_PROCESS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ProgramCall {
  const char *program;   /* path of the executable */
  char *const *words;    /* name of the program and its arguments, NULL-terminated */
  const char *directory; /* working directory */
  /* Files for standard input, output and error. The files for output and error are created. */
  const char *input, *output, *errors;
  const char *written; /* path of a further file to which the limit of output applies; NULL: none */
  bool appends;        /* true: append standard error to an existing file; false: replace the file */
  bool any_core;       /* let the program run on all cores, even if this process is bound to some */
  int nice;            /* nice value (priority) of the program, 0 to 19 */
  double seconds;      /* time limit in s; 0: no limit */
  off_t printed;       /* limit in bytes of each of the files output, errors and written; 0: no limit */
  double bytes;        /* limit of its writable memory (RLIMIT_DATA); 0: no limit */
  /* Called every few milliseconds by program_run; returns whether to end the program. NULL: never. */
  bool (*cancelled)(void *context);
  void *context;
} ProgramCall;

typedef enum ProgramEnd {
  PROGRAM_EXITED,    /* the program exited; code: its exit code, or 127 if it could not be started */
  PROGRAM_SIGNALLED, /* a signal ended the program */
  PROGRAM_TIMED_OUT,
  PROGRAM_FLOODED, /* the program exceeded a limit of output; the excess is cut off */
  PROGRAM_CANCELLED,
  PROGRAM_NOT_RUN /* no process or pipe was available */
} ProgramEnd;

/* Runs a program and waits until it ends. Sets *code to its exit code, or to the number of the signal that ended it.
 * For PROGRAM_NOT_RUN, *code is errno, or 0 if the guard was killed. */
ProgramEnd program_run(const ProgramCall *call, int *code);

/* A program that runs in the background. */
typedef struct Program {
  pid_t guard;
  int life, answer; /* this process's ends of the two pipes to the guard, to control and to receive its report; life is
                     * -1 after program_cancel */
} Program;

/* Starts a program. *call is not used after the function has returned. Returns false and sets errno if no process or
 * pipe is available. */
bool program_start(const ProgramCall *call, Program *program);

/* Returns whether the program has ended; if so, sets *end and *code as program_run does, and none of its processes is
 * left. Never blocks. */
bool program_over(Program *program, ProgramEnd *end, int *code);

void program_signal(const Program *program, int signal); /* sends a signal to the program's process group */
void program_cancel(Program *program); /* kills the process group; afterwards poll program_over until it returns true */

#endif
