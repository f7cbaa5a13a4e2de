/* One evaluation by a program of the user's own: a folder, the point in a file, the program, its values. */
#ifndef SRC_EXTERNAL_POINT_H
#define SRC_EXTERNAL_POINT_H

#include "sim/internal.h"
#include "src/file/sections/external.h"

/* What a file `failure` begins with; "output", "no output": what it gave. */
#define POINT_FAILED_BY_EXIT   "exit"
#define POINT_FAILED_BY_SIGNAL "signal"
#define POINT_FAILED_BY_TIME   "timeout"

/* POINT_NAME_SIZE: a folder is called by so many letters of its point; what follows tells those of one point apart. */
enum { REASON_SIZE = 128, POINT_NAME_SIZE = 16 };

/* What a rank knows of the program. */
typedef struct PointProgram {
  const External *external;
  char points[FILE_PATH_SIZE];      /* the folder of all points' folders, absolute */
  bool (*cancelled)(void *context); /* this rank's: whether to end a program that runs; NULL: never */
  void *context;
  char lack[FILE_PATH_SIZE]; /* what the last evaluation that was SIM_NO_MEMORY could not have; "": there was none */
  int why;                   /* errno then; 0: the process that watches the program was killed */
} PointProgram;

/* The values [m] at a point [n]. SIM_OK; SIM_NOT_FINISHED: it took too long; SIM_NON_FINITE: what it gave are not m finite
 * numbers; SIM_NOT_CONVERGED: it failed; SIM_NO_MEMORY: the folder could not be made or written, or no process be had (program->lack);
 * SIM_CANCELLED: it was. */
SimStatus point_evaluate(PointProgram *program, const double *point, double *values);

/* The folders kept of those that failed. */
typedef struct PointFailures {
  long exits, signals, timeouts, outputs;
  char first[FILE_PATH_SIZE]; /* the one that failed first; "": none */
  char reason[REASON_SIZE];   /* why */
  char errors[512];           /* the end of its standard error */
} PointFailures;

/* Removes the folders in it that no failure is told of: those of a run that was killed. */
void point_folders_tidy(const char *points);

/* Removes that folder and all in it; kept: only if it is empty. */
void point_folders_remove(const char *points, bool kept);

void point_failures_find(const char *points, PointFailures *failures);

#endif
