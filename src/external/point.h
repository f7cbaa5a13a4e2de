/* One evaluation by a program of the user's own: a folder, the point in a file, the program, its values. */
#ifndef SRC_EXTERNAL_POINT_H
#define SRC_EXTERNAL_POINT_H

#include "sim/sim.h"
#include "src/problem/external.h"

/* What a rank knows of the program; as a JSON text it goes from rank 0 to the others. */
typedef struct PointProgram {
  const External *external;
  char points[FILE_PATH_SIZE]; /* the folder of all points' folders, absolute */
  bool (*cancelled)(void *context);
  void *context;
} PointProgram;

/* The values [m] at a point [n]. SIM_OK; SIM_NOT_FINISHED: it took too long; SIM_NON_FINITE: what it gave are not m finite
 * numbers; SIM_NOT_CONVERGED: it failed; SIM_NO_MEMORY: the folder could not be made or written, or no process be had. *cancelled:
 * it was, and the status means nothing. */
SimStatus point_evaluate(const PointProgram *program, const double *point, double *values, bool *cancelled);

/* The folders kept of those that failed. */
typedef struct PointFailures {
  long exits, signals, timeouts, outputs;
  char first[FILE_PATH_SIZE]; /* the one that failed first; "": none */
  char reason[128];           /* why */
  char errors[512];           /* the end of its standard error */
} PointFailures;

/* Removes that folder and all in it; kept: only if it is empty. */
void point_folders_remove(const char *points, bool kept);

void point_failures_find(const char *points, PointFailures *failures);

#endif
