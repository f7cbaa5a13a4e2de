/* The control of --control: u1,u2,.., that of earlier results (DIR, or DIR:grid), or `start`, the file's
 * control.start. */
#ifndef SRC_RUN_GIVEN_CONTROL_H
#define SRC_RUN_GIVEN_CONTROL_H

#include "src/file/sections/file.h"

/* Whether the argument means control.start; a directory of this name is written ./start. */
bool given_control_is_start(const char *given);

/* Sets the number of segments of a replay by `event` to that of a refined answer; the search itself uses the file's
 * number. */
void given_control_segments(const Options *options, Problem *problem);

/* Reads the control [variables]; without --control it is unchanged. The first rank reads it and checks that its
 * directory is not the one to be written; all ranks receive it and the result. Collective over the group. Returns 0, or
 * EXIT_USAGE after reporting an error. */
int given_control(const Options *options, const Problem *problem, const SimGroup *group, double *control,
                  Diagnostics *diagnostics);

/* Whether what --control names is a results directory, DIR or DIR:grid. */
bool given_control_is_directory(const char *given);

#endif
