/* Evaluates one point with a user's program: makes a folder, writes the point to a file, runs the program, reads its
 * values. */
#ifndef SRC_EXTERNAL_POINT_H
#define SRC_EXTERNAL_POINT_H

#include "sim/internal.h"
#include "src/file/sections/external.h"

/* First word of a file `failure`. Other first words are "output", for an invalid output, and "no output". */
#define POINT_FAILED_BY_EXIT   "exit"
#define POINT_FAILED_BY_SIGNAL "signal"
#define POINT_FAILED_BY_TIME   "timeout"

/* POINT_NAME_SIZE: number of letters of a folder's name that are derived from its point; the rest distinguishes folders
 * of the same point. */
enum { REASON_SIZE = 128, POINT_NAME_SIZE = 16 };

/* Data of the program on one rank. */
typedef struct PointProgram {
  const External *external;
  char points[FILE_PATH_SIZE];      /* absolute path of the folder that contains the points' folders */
  bool (*cancelled)(void *context); /* whether to end a running program of this rank; NULL: never */
  void *context;
  char lack[FILE_PATH_SIZE]; /* resource that was not available in the last evaluation with SIM_NO_MEMORY; "": none */
  int why;                   /* its errno; 0: the process that watches the program was killed */
} PointProgram;

/* Computes the values [m] at a point [n]. Returns SIM_OK; SIM_NOT_FINISHED: time limit exceeded; SIM_NON_FINITE: the
 * output is not m finite numbers; SIM_NOT_CONVERGED: the program failed; SIM_NO_MEMORY: the folder could not be made or
 * written, or no process started (program->lack); SIM_CANCELLED: cancelled. */
SimStatus point_evaluate(PointProgram *program, const double *point, double *values);

/* Summary of the kept folders of failed points. */
typedef struct PointFailures {
  long exits, signals, timeouts, outputs;
  char first[FILE_PATH_SIZE]; /* folder of the first failure; "": none */
  char reason[REASON_SIZE];   /* reason of the first failure */
  char errors[512];           /* end of its standard error */
} PointFailures;

/* Removes folders without a recorded failure: those of a killed run. */
void point_folders_tidy(const char *points);

/* Removes the folder of all points with its content; kept: only if it is empty. */
void point_folders_remove(const char *points, bool kept);

void point_failures_find(const char *points, PointFailures *failures);

#endif
