/* Exit codes of the program; users rely on them (README). */
#ifndef SRC_EXIT_CODE_H
#define SRC_EXIT_CODE_H

enum {
  EXIT_DONE = 0,     /* done; for control: target met to search.accept */
  EXIT_USAGE = 2,    /* bad usage, problem file or directory; no gnuplot */
  EXIT_NOT_MET = 3,  /* the search ended without meeting the target */
  EXIT_UNSOLVED = 4, /* an evaluation or a solver failed for good */
  EXIT_STOPPED = 85, /* stopped on a signal, after a checkpoint: `stiction resume` goes on */
  EXIT_INTERNAL = 70 /* out of memory, disk full, or a bug in the program */
};

#endif
