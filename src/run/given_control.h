/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the control given by --control: u1,u2,..; that of earlier results (DIR or DIR:grid); or `start`, the
 * control.start of the file. */
#ifndef SRC_RUN_GIVEN_CONTROL_H
#define SRC_RUN_GIVEN_CONTROL_H

#include "src/file/sections/file.h"

/* Returns whether the argument means control.start. A directory of this name must be written ./start. */
bool given_control_is_start(const char *given);

/* Sets the number of segments of the control, if a refined answer is replayed by the scheme `event`, to that of the
 * answer. A search itself uses the number in the file. */
void given_control_segments(const Options *options, Problem *problem);

/* Reads the control [variables]; without --control it is unchanged. The first rank reads it, and checks that its
 * directory is not the one to which results are written. All ranks receive the control and the result. Collective over
 * the group. Returns 0, or EXIT_USAGE after reporting an error. */
int given_control(const Options *options, const Problem *problem, const SimGroup *group, double *control,
                  Diagnostics *diagnostics);

/* Returns whether the value of --control is a results directory, DIR or DIR:grid. */
bool given_control_is_directory(const char *given);

#endif
