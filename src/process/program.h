/* A program, the user's own or this one again, run to its end or to its limits; nothing of it is left behind, however this process ends.
 *
 *     this process -- fork --> guard -- fork, exec --> program, and all that it starts: a process group of its own
 *          '------- pipe -------'   closed, be it by our death: the guard kills the group
 *
 * What leaves the group (setsid) becomes the guard's child when its parent ends: the guard reaps it, or kills it before it says that the program is
 * over. It finds such children in /proc/thread-self/children (Linux's CONFIG_PROC_CHILDREN). One that does not end in
 * 5 s, since it is another user's (sudo) or waits for a disk, is left.
 */
#ifndef SRC_PROCESS_PROGRAM_H
#define SRC_PROCESS_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct ProgramCall {
  const char *program;   /* path */
  char *const *words;    /* its name and arguments, NULL at the end */
  const char *directory; /* where it runs */
  const char *input, *output,
      *errors;                      /* files that are its standard input, output and error; the latter two are made */
  const char *written;              /* a file that it may write itself; NULL: none */
  bool appends;                     /* errors: it goes on behind what is in it */
  bool any_core;                    /* not bound to the cores that this process is bound to */
  int nice;                         /* it yields the processor to others, 0 to 19 */
  double seconds;                   /* at most; 0: no limit */
  off_t printed;                    /* bytes in output, in errors, and in written, at most; 0: no limit */
  double bytes;                     /* of memory that it writes to (RLIMIT_DATA), at most; 0: no limit */
  bool (*cancelled)(void *context); /* program_run asks it every few milliseconds: whether to end it now; NULL: never */
  void *context;
} ProgramCall;

typedef enum ProgramEnd {
  PROGRAM_EXITED,    /* by itself: its code, 127 where it could not be started */
  PROGRAM_SIGNALLED, /* on a signal */
  PROGRAM_TIMED_OUT,
  PROGRAM_FLOODED, /* it printed or wrote more than it may; what is beyond is cut off */
  PROGRAM_CANCELLED,
  PROGRAM_NOT_RUN /* no process, or no pipe, could be had */
} ProgramEnd;

/* To its end. *code: the exit code, or the signal; of PROGRAM_NOT_RUN errno, 0: its guard was killed. */
ProgramEnd program_run(const ProgramCall *call, int *code);

/* One that runs while we do something else. */
typedef struct Program {
  pid_t guard;
  int life, answer; /* our ends of the pipes; life: -1 once it is cancelled */
} Program;

/* call: not needed any more when it returns. False: no process, or no pipe, could be had; errno. */
bool program_start(const ProgramCall *call, Program *program);

/* Whether it is over, as program_run tells it; if so there is nothing left of it. Never waits. */
bool program_over(Program *program, ProgramEnd *end, int *code);

void program_signal(const Program *program, int signal); /* to all of its group */
void program_cancel(Program *program);                   /* kills all of them; program_over tells when that is done */

#endif
