/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores a whole motion as arrays, for languages that lack C's structs and callbacks, e.g. Python. C programs use
 * SimObserver. */
#ifndef SRC_LIBRARY_RECORDED_MOTION_H
#define SRC_LIBRARY_RECORDED_MOTION_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A motion as arrays. */
typedef struct StictionMotion StictionMotion;

/* Returns the number of variables p S of a control of the file; 0 if file is NULL. */
int stiction_file_variables(const StictionFile *file);

/* Simulates the motion of a file (stiction_file_problem) in this process. Stores every output.every-th instant and the
 * last one. control: [stiction_file_variables] in N; NULL: 0. stopped: called a hundred times during the motion,
 * returns whether to stop; may be NULL.
 * - SIM_OK: the motion was simulated to its end.
 * - SIM_NO_MEMORY, SIM_BAD_ARGUMENT, SIM_BAD_PROBLEM: the error was reported to listener, which may be NULL, and
 *   *motion is NULL.
 * - Another status is that of the motion; SIM_NOT_FINISHED if it was stopped. *motion has the instants up to its
 * end. */
SimStatus stiction_motion_run(const StictionFile *file, const double *control, bool (*stopped)(void *context),
                              void *context, const StictionListener *listener, StictionMotion **motion);
void stiction_motion_destroy(StictionMotion *motion); /* may be NULL */

/* Returns the name of array k, from 0; NULL after the last. The names are
 * - t in s; x in m; v in m/s; slide in m/s (SimStep); slip: -1, 0 or 1;
 * - lambda, and force (friction), in N, if the kind of model has them; reaction, in N, with stops; u, in N, with a
 *   control;
 * - names of additional results of the kind (stiction_kind_extras);
 * - "energy.work" and the other terms of SimEnergy, in J. */
const char *stiction_motion_name(const StictionMotion *motion, int k);
/* Returns array k [rows][columns], borrowed. After the last array the result is NULL, and the number of columns 0. If
 * motion is NULL, the functions here return NULL, 0 or NAN. */
const double *stiction_motion_array(const StictionMotion *motion, int k);
int stiction_motion_columns(const StictionMotion *motion, int k); /* number of columns of array k */
long stiction_motion_rows(const StictionMotion *motion);          /* number of stored instants */

/* Returns x(T) or, if velocity, v(T) [d], borrowed. If the motion ended early, they are those of its last instant. */
const double *stiction_motion_end(const StictionMotion *motion, bool velocity);
/* Returns a number of the whole motion by its name in SimFinal: iterations, residual, grazes, impacts, settled. With a
 * section control there are also J, E1 and E2. NAN: there is no such name. */
double stiction_motion_number(const StictionMotion *motion, const char *name);

SIM_API_END

#endif
