/* The control of --control: u1,u2,.., that of earlier results (DIR, or DIR:grid), or `start`, the file's control.start. */
#ifndef SRC_RUN_GIVEN_CONTROL_H
#define SRC_RUN_GIVEN_CONTROL_H

#include "src/file/sections/file.h"

/* Whether that is meant, and not a directory of this name (./start). */
bool given_control_is_start(const char *given);

/* A replay by `event` is of the segments that the answer may have been refined to, which the problem takes on; the search's are those
 * of the file. */
void given_control_segments(const Options *options, Problem *problem);

/* Into control [variables]; unless one is given it stays as it is. The first rank finds it, and sees that its directory is not the
 * one to be written; all learn how that went, and it. Collective over the group. Returns 0, or EXIT_USAGE after telling. */
int given_control(const Options *options, const Problem *problem, const SimGroup *group, double *control,
                  Diagnostics *diagnostics);

/* Whether what --control names is a results directory, DIR or DIR:grid. */
bool given_control_is_directory(const char *given);

#endif
