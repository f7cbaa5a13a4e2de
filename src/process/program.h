/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a program, of a user or this one, until it ends or exceeds a limit. Then no process of it is left, however this
 * process ends.
 *
 *     this process -- fork --> guard -- fork, exec --> program, and all that it starts, in their own process group
 *          '------- pipe -------'   when it is closed, also by this process's death, the guard kills the group
 *
 * A process that leaves the group (setsid) becomes the guard's child when its parent ends. Before the guard reports the
 * end of the program, it reaps or kills such children. It finds them in /proc/thread-self/children (Linux's
 * CONFIG_PROC_CHILDREN). The guard gives up a process that does not end within 5 s because it belongs to another user
 * (sudo) or waits for a disk. */
#ifndef SRC_PROCESS_PROGRAM_H
#define SRC_PROCESS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ProgramCall {
  const char *program;   /* path of the executable */
  char *const *words;    /* name and arguments, NULL-terminated */
  const char *directory; /* working directory */
  /* Files for standard input, output and error; the last two are created. */
  const char *input, *output, *errors;
  const char *written; /* path of a further file to which the limit of output applies; NULL: none */
  bool appends;        /* append standard error to an existing file */
  bool any_core;       /* let the program run on all cores, even if this process is bound to some */
  int nice;            /* nice value (priority) of the program, 0 to 19 */
  double seconds;      /* time limit; 0: no limit */
  off_t printed;       /* limit in bytes for each of the files output, errors and written; 0: no limit */
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

/* Runs a program and waits for its end. *code: the exit code or signal. For PROGRAM_NOT_RUN it is errno, or 0 if the
 * guard was killed. */
ProgramEnd program_run(const ProgramCall *call, int *code);

/* A program that runs in the background. */
typedef struct Program {
  pid_t guard;
  int life, answer; /* this process's ends of the two pipes to the guard; life is -1 once the program was cancelled */
} Program;

/* Starts a program; call is not used after the return. Returns false and sets errno if no process or pipe is
 * available. */
bool program_start(const ProgramCall *call, Program *program);

/* Returns whether the program has ended, and sets the results as program_run does. Then no process of it is left. Never
 * blocks. */
bool program_over(Program *program, ProgramEnd *end, int *code);

void program_signal(const Program *program, int signal); /* sends a signal to the program's process group */
void program_cancel(Program *program); /* kills the process group; then poll program_over until the program has ended */

#endif
