/* A whole motion as arrays, for languages without structs and callbacks of C, for example Python. C programs use
 * SimObserver. */
#ifndef SRC_LIBRARY_RECORDED_MOTION_H
#define SRC_LIBRARY_RECORDED_MOTION_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A motion as arrays. */
typedef struct StictionMotion StictionMotion;

/* Number of variables of a control of the file, p S; 0 for NULL. */
int stiction_file_variables(const StictionFile *file);

/* Simulates a file's motion (stiction_file_problem) in this process and stores every output.every-th instant and the last. control:
 * [stiction_file_variables], N; NULL: 0. stopped: called a hundred times on the way, returns whether to stop; may be
 * NULL. SIM_OK; SIM_NO_MEMORY, SIM_BAD_ARGUMENT, or SIM_BAD_PROBLEM, reported to listener (may be NULL): *motion is
 * then NULL. Another status is that of the motion, SIM_NOT_FINISHED if it was stopped: *motion then has the instants up
 * to its end. */
SimStatus stiction_motion_run(const StictionFile *file, const double *control, bool (*stopped)(void *context),
                              void *context, const StictionListener *listener, StictionMotion **motion);
void stiction_motion_destroy(StictionMotion *motion); /* may be NULL */

/* Name of array k, from 0; NULL beyond the last. The arrays are t, s; x, m; v, m/s; slide, m/s (SimStep); slip: -1, 0,
 * 1; lambda, and force (friction), N, if the kind has them; reaction, N, with stops; u, N, with a control; additional
 * results of the kind by name (stiction_kind_extras); the terms of SimEnergy, J, as "energy.work". */
const char *stiction_motion_name(const StictionMotion *motion, int k);
/* Array k [rows][columns], borrowed. Beyond the last: NULL, and 0 columns. Without a motion: NULL, 0, NAN. */
const double *stiction_motion_array(const StictionMotion *motion, int k);
int stiction_motion_columns(const StictionMotion *motion, int k); /* columns of array k */
long stiction_motion_rows(const StictionMotion *motion);          /* instants */

/* x(T) or v(T) [d], borrowed; if the motion ended early, those of its last instant. */
const double *stiction_motion_end(const StictionMotion *motion, bool velocity);
/* Number of the whole motion: iterations, residual, grazes, impacts, settled (SimFinal); with a section control also J,
 * E1, E2. NAN: no such name. */
double stiction_motion_number(const StictionMotion *motion, const char *name);

SIM_API_END

#endif
