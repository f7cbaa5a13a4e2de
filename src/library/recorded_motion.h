/* A whole motion as arrays, for languages that have no structs and callbacks of C, Python say; in C see SimObserver. */
#ifndef SRC_LIBRARY_RECORDED_MOTION_H
#define SRC_LIBRARY_RECORDED_MOTION_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A motion as arrays. */
typedef struct StictionMotion StictionMotion;

/* How many numbers a control of a file has, p S; 0 of NULL. */
int stiction_file_variables(const StictionFile *file);

/* Runs a file's motion under a control, N, [stiction_file_variables] (NULL: 0), in this process, and keeps every output.every-th instant
 * and the last. stopped: asked a hundred times on the way whether to leave off; may be NULL. SIM_OK; SIM_NO_MEMORY, SIM_BAD_ARGUMENT, or SIM_BAD_PROBLEM, told
 * to listener (may be NULL): *motion is NULL then. Another status is the motion's own, SIM_NOT_FINISHED if it was left off: *motion
 * goes as far as it went. */
SimStatus stiction_motion_run(const StictionFile *file, const double *control, bool (*stopped)(void *context),
                              void *context, const StictionListener *listener, StictionMotion **motion);
void stiction_motion_destroy(StictionMotion *motion); /* may be NULL */

/* The name of array k, from 0; NULL beyond the last. They are t, s; x, m; v, m/s; slide, m/s (SimStep); slip: -1, 0, 1; where the kind has
 * it lambda, and force, of friction, N; reaction, N, where there are stops; u, N, where there is a control; what else the kind of model
 * tells, by its name (sim_kind_extras); the terms of SimEnergy, J, as "energy.work". */
const char *stiction_motion_name(const StictionMotion *motion, int k);
/* Array k [rows][columns], borrowed. NULL, and 0 columns, beyond the last; no motion: NULL, 0, NAN. */
const double *stiction_motion_array(const StictionMotion *motion, int k);
int stiction_motion_columns(const StictionMotion *motion, int k); /* columns of array k */
long stiction_motion_rows(const StictionMotion *motion);          /* instants */

/* x(T), or v(T), [d], borrowed: of a motion that did not end by itself its last instant. */
const double *stiction_motion_end(const StictionMotion *motion, bool velocity);
/* A number of the whole: iterations, residual, grazes, impacts, settled (SimFinal), and, of a file with a section control, J, E1, E2.
 * NAN: there is none of that name. */
double stiction_motion_number(const StictionMotion *motion, const char *name);

SIM_API_END

#endif
