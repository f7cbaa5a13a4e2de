/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the control of the option --control. Its value is a list of numbers u1,u2,..; the directory of earlier results,
 * DIR or DIR:grid; or `start`, which means control.start of the file. */
#ifndef SRC_RUN_GIVEN_CONTROL_H
#define SRC_RUN_GIVEN_CONTROL_H

#include "src/file/sections/file.h"

/* Returns whether the value of the option means control.start. A directory with this name must be written as
 * ./start. */
bool given_control_is_start(const char *given);

/* If the refined control of earlier results is to be replayed by the scheme `event`, sets the number of segments of the
 * problem's control to that of the refined control. In a search the number in the file is used instead. */
void given_control_segments(const Options *options, Problem *problem);

/* Reads the control [variables], which is unchanged without --control. The first rank reads it. If it comes from a
 * results directory, the first rank also checks that results will not be written to the same directory. All ranks
 * receive the control and the exit code. Collective over the group. Returns 0, or EXIT_USAGE after reporting an
 * error. */
int given_control(const Options *options, const Problem *problem, const SimGroup *group, double *control,
                  Diagnostics *diagnostics);

/* Returns whether the value of --control is a results directory, DIR or DIR:grid. */
bool given_control_is_directory(const char *given);

#endif
