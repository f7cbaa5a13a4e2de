/* Runs a program, a user's or this one, to its end or to its limits. No process of it remains, however this process
 * ends.
 *
 *     this process -- fork --> guard -- fork, exec --> program, and all that it starts, in their own process group
 *          '------- pipe -------'   when it is closed, also by this process's death, the guard kills the group
 *
 * A process that leaves the group (setsid) becomes the guard's child when its parent ends. The guard reaps it, or kills
 * it before it reports that the program has ended. It finds such children in /proc/thread-self/children (Linux's
 * CONFIG_PROC_CHILDREN). A process that does not end within 5 s, as it belongs to another user (sudo) or waits for a
 * disk, is given up. */
#ifndef SRC_PROCESS_PROGRAM_H
#define SRC_PROCESS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ProgramCall {
  const char *program;   /* path */
  char *const *words;    /* name and arguments, NULL-terminated */
  const char *directory; /* working directory */
  /* files for standard input, output and error; the latter two are created */
  const char *input, *output, *errors;
  const char *written; /* a file that the program may write; NULL: none */
  bool appends;        /* errors are appended to an existing file */
  bool any_core;       /* do not inherit this process's binding to cores */
  int nice;            /* nice value of the program, 0 to 19 */
  double seconds;      /* time limit; 0: no limit */
  off_t printed;       /* limit for each of output, errors and written, bytes; 0: no limit */
  double bytes;        /* limit of its writable memory (RLIMIT_DATA); 0: no limit */
  /* called by program_run every few milliseconds: whether to end the program; NULL: never */
  bool (*cancelled)(void *context);
  void *context;
} ProgramCall;

typedef enum ProgramEnd {
  PROGRAM_EXITED,    /* with a code; 127 if it could not be started */
  PROGRAM_SIGNALLED, /* ended by a signal */
  PROGRAM_TIMED_OUT,
  PROGRAM_FLOODED, /* exceeded a limit of output; the excess is cut off */
  PROGRAM_CANCELLED,
  PROGRAM_NOT_RUN /* no process or pipe was available */
} ProgramEnd;

/* Runs a program to its end. *code: the exit code or signal; for PROGRAM_NOT_RUN errno, or 0 if its guard was
 * killed. */
ProgramEnd program_run(const ProgramCall *call, int *code);

/* A program that runs in the background. */
typedef struct Program {
  pid_t guard;
  int life, answer; /* this process's ends of the pipes; life: -1 after cancellation */
} Program;

/* Starts a program; call is not used after the return. Returns false and sets errno if no process or pipe is
 * available. */
bool program_start(const ProgramCall *call, Program *program);

/* Whether the program has ended, with the results of program_run; then no process of it remains. Never blocks. */
bool program_over(Program *program, ProgramEnd *end, int *code);

void program_signal(const Program *program, int signal); /* sends a signal to its process group */
void program_cancel(Program *program); /* kills the whole group; poll program_over until it has ended */

#endif
