/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates one point with a user's program: makes a folder, writes the point into a file, runs the program and reads
 * the values from its output. */
#ifndef SRC_EXTERNAL_POINT_H
#define SRC_EXTERNAL_POINT_H

#include "sim/internal.h"
#include "src/file/sections/external.h"

/* First word of the file `failure` in the folder of a failed point: how the program failed. "output" means that its
 * output was invalid, "no output" that it wrote none. */
#define POINT_FAILED_BY_EXIT   "exit"
#define POINT_FAILED_BY_SIGNAL "signal"
#define POINT_FAILED_BY_TIME   "timeout"

/* POINT_NAME_SIZE is the number of letters of a folder's name that depend on its point. The rest of the name
 * distinguishes folders of the same point. */
enum { REASON_SIZE = 128, POINT_NAME_SIZE = 16 };

/* The user's program and its folders, as one rank uses them. */
typedef struct PointProgram {
  const External *external;
  char points[FILE_PATH_SIZE];      /* absolute path of the folder that contains the points' folders */
  bool (*cancelled)(void *context); /* returns whether the program that this rank runs must be ended; NULL: never */
  void *context;
  char lack[FILE_PATH_SIZE]; /* resource that was missing when an evaluation last returned SIM_NO_MEMORY; "": none */
  int why;                   /* errno that belongs to `lack`; 0: the process that watches the user's program was
                              * killed */
} PointProgram;

/* Computes the values [m] at a point [n]. Returns
 * - SIM_OK: the values are computed;
 * - SIM_NOT_FINISHED: the program exceeded its time limit;
 * - SIM_NON_FINITE: its output is not m finite numbers;
 * - SIM_NOT_CONVERGED: the program failed;
 * - SIM_NO_MEMORY: the folder could not be made or written, or no process started; program->lack names it;
 * - SIM_CANCELLED: the evaluation was cancelled. */
SimStatus point_evaluate(PointProgram *program, const double *point, double *values);

/* Summary of the kept folders of failed points. */
typedef struct PointFailures {
  long exits, signals, timeouts, outputs;
  char first[FILE_PATH_SIZE]; /* folder of the first failure; "": none */
  char reason[REASON_SIZE];   /* reason of the first failure */
  char errors[512];           /* last lines of the program's standard error at the first failure */
} PointFailures;

/* Removes the folders that a killed run has left for points which did not fail. */
void point_folders_tidy(const char *points);

/* Removes the folder that contains the folders of all points. kept: failed points are kept, so the folder is removed
 * only if it is empty. */
void point_folders_remove(const char *points, bool kept);

void point_failures_find(const char *points, PointFailures *failures);

#endif
