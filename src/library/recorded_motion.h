/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores a whole motion as arrays, for languages without C's structs and callbacks, e.g. Python. C programs use
 * SimObserver. */
#ifndef SRC_LIBRARY_RECORDED_MOTION_H
#define SRC_LIBRARY_RECORDED_MOTION_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A motion as arrays. */
typedef struct StictionMotion StictionMotion;

/* Returns the number of variables p S of a control of the file, which has p numbers in each of S segments; 0 if file is
 * NULL. */
int stiction_file_variables(const StictionFile *file);

/* Simulates the motion of a file (stiction_file_problem) in this process. Stores one of output.every instants, and the
 * last one. control: [stiction_file_variables] in N; NULL: 0. stopped: called a hundred times during the motion;
 * returns whether to stop; may be NULL. Returns
 * - SIM_OK: the motion was simulated to its end;
 * - SIM_NO_MEMORY, SIM_BAD_ARGUMENT, SIM_BAD_PROBLEM: the error was reported to listener, which may be NULL, and
 *   *motion is NULL;
 * - another status: that with which the motion ended; SIM_NOT_FINISHED if it was stopped. *motion has the instants up
 *   to its end. */
SimStatus stiction_motion_run(const StictionFile *file, const double *control, bool (*stopped)(void *context),
                              void *context, const StictionListener *listener, StictionMotion **motion);
void stiction_motion_destroy(StictionMotion *motion); /* may be NULL */

/* Returns the name of array k, from 0; NULL after the last. The names are
 * - t in s; x in m; v in m/s; slide in m/s (SimStep); slip: -1, 0 or 1;
 * - lambda, and force (friction force in N), if the kind of model has them;
 * - reaction, in N, for models with stops; u, in N, if there is a control;
 * - names of additional results of the kind (stiction_kind_extras);
 * - "energy.work" and the other terms of SimEnergy, in J. */
const char *stiction_motion_name(const StictionMotion *motion, int k);
/* Returns array k [rows][columns], borrowed; NULL after the last array. If motion is NULL, the functions of this header
 * return NULL, 0 or NAN. */
const double *stiction_motion_array(const StictionMotion *motion, int k);
int stiction_motion_columns(const StictionMotion *motion, int k); /* number of columns of array k; 0 after the last
                                                                   * array */
long stiction_motion_rows(const StictionMotion *motion);          /* number of stored instants */

/* Returns x(T) [d] or, if velocity, v(T) [d], borrowed. If the motion ended early, these are the values at its last
 * instant. */
const double *stiction_motion_end(const StictionMotion *motion, bool velocity);
/* Returns a number that describes the whole motion, by its name in SimFinal: iterations, residual, grazes, impacts or
 * settled. With a section control there are also J, E1 and E2. Returns NAN if there is no such name. */
double stiction_motion_number(const StictionMotion *motion, const char *name);

SIM_API_END

#endif
