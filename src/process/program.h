/* A program of the user's own, run to its end or to its limit of time; nothing of it is left behind, however this process ends.
 *
 *     this process -- fork --> guard -- fork, exec --> program, and all that it starts: a process group of its own
 *          '------- pipe -------'   closed, be it by our death: the guard kills the group
 */
#ifndef SRC_PROCESS_PROGRAM_H
#define SRC_PROCESS_PROGRAM_H

#include <stdbool.h>

typedef struct ProgramCall {
  const char *program;   /* path */
  char *const *words;    /* its name and arguments, NULL at the end */
  const char *directory; /* where it runs */
  const char *input, *output,
      *errors;                      /* files that are its standard input, output and error; the latter two are made */
  double seconds;                   /* at most; 0: no limit */
  bool (*cancelled)(void *context); /* asked every few milliseconds: whether to end it now; NULL: never */
  void *context;
} ProgramCall;

typedef enum ProgramEnd {
  PROGRAM_EXITED,    /* by itself: its code, 127 where it could not be started */
  PROGRAM_SIGNALLED, /* on a signal */
  PROGRAM_TIMED_OUT,
  PROGRAM_CANCELLED,
  PROGRAM_NOT_RUN /* no process, or no pipe, could be had */
} ProgramEnd;

/* *code: the exit code, or the signal. */
ProgramEnd program_run(const ProgramCall *call, int *code);

#endif
