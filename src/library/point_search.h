/* SPDX-License-Identifier: BSD-2-Clause */
/* A search with functions that need only numbers and names as arguments, for languages without structs of C, for
 * example Python. The caller asks for points and returns their values. C programs use control/control.h or
 * control/search.h. If `search`, a name or a text is NULL, functions do nothing and return SIM_BAD_ARGUMENT, NULL, 0,
 * false or NAN.
 *
 *     search = stiction_search_create(2, 1);
 *     stiction_search_variable(search, 0, -2, 2, -1.2);
 *     stiction_search_key(search, "method", "pds", NULL);
 *     if (stiction_search_begin(search, NULL, 0, listener) != SIM_OK) ..
 *     while ((n = stiction_search_ask(search, 64, tickets, points)) > 0)
 *       for (i = 0; i < n; i++) stiction_search_tell(search, tickets[i], values_of(points + 2 * i), seconds); */
#ifndef SRC_LIBRARY_POINT_SEARCH_H
#define SRC_LIBRARY_POINT_SEARCH_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A search with functions that need only numbers and names as arguments. */
typedef struct StictionSearch StictionSearch;

/* Creates a search with n variables and m values at each point (stiction_control_create_values). Returns NULL if the
 * sizes are invalid or there is no memory. */
StictionSearch *stiction_search_create(int n, int m);
/* Creates a search from the sections control and search of a file, which it borrows. Returns NULL if the file has no
 * section control or a plan (stiction_file_has_plan), which stiction_solve searches, or if there is no memory. */
StictionSearch *stiction_search_of_file(const StictionFile *file);
void stiction_search_destroy(StictionSearch *search); /* may be NULL */

/* Sets lower bound, upper bound (INFINITY: no bound) and start of variable i. Call it before the search begins.
 * SIM_BAD_PROBLEM: there is no such variable. */
SimStatus stiction_search_variable(StictionSearch *search, int i, double lower, double upper, double start);
/* Sets the role of value i. Roles are "objective", "residual", and the constraints "equal", "at_most" and "at_least",
 * which compare the value with target up to tolerance (stiction_control_set_role). Call it before the search begins.
 * SIM_BAD_PROBLEM: there is no such value or role. */
SimStatus stiction_search_value(StictionSearch *search, int i, const char *role, double target, double tolerance);
/* Sets the size of variable i ("control.size" of stiction_control_set_values). Call it before the search begins.
 * SIM_BAD_PROBLEM: there is no such variable. */
SimStatus stiction_search_size(StictionSearch *search, int i, double size);
/* Declares that the values come with their derivatives (stiction_search_tell_rows). Call it before the search begins.
 * SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_derivatives(StictionSearch *search);
/* Sets a key of the section search by its text, e.g. "64" or "pds". Call it before the search begins. SIM_BAD_PROBLEM,
 * reported to listener: there is no such key, or the text is invalid. */
SimStatus stiction_search_key(StictionSearch *search, const char *key, const char *text,
                              const StictionListener *listener);

/* Checks the search, reports errors to listener, and begins the search. If size > 0, resumes it from bytes of
 * stiction_search_save. If its method needs PETSc, starts PETSc and with it MPI; stiction_petsc_start in sim/ranks.h
 * describes what this does to the process. Call it once. SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_begin(StictionSearch *search, const void *saved, size_t size,
                                const StictionListener *listener);
size_t stiction_search_saved_size(const StictionSearch *search); /* bytes that stiction_search_save writes */
/* saves the state of the search, for stiction_search_begin */
void stiction_search_save(const StictionSearch *search, void *bytes);

/* Returns up to max points [max][n] and their tickets, as stiction_asktell_ask does. For a search of a file it returns
 * 0. */
int stiction_search_ask(StictionSearch *search, int max, long *tickets, double *points);
/* Gives the search the values [m] at the point with this ticket. Points may be evaluated in any order. values NULL: the
 * evaluation failed, and the point counts as +inf. seconds: time since the search began, in this process. Returns
 * whether the search expected this ticket. */
bool stiction_search_tell(StictionSearch *search, long ticket, const double *values, double seconds);

/* Works as stiction_search_tell, and adds the derivatives of the values: rows [m][n], d value_i / d point_k. */
bool stiction_search_tell_rows(StictionSearch *search, long ticket, const double *values, const double *rows,
                               double seconds);

/* Runs the search of a file to its end, with simulations in this process. stopped: called about every 50 ms, returns
 * whether to stop; may be NULL. SIM_OK; SIM_NOT_FINISHED: stopped; SIM_NO_MEMORY; SIM_BAD_PROBLEM: the search has
 * values from the caller, or scenarios. */
SimStatus stiction_search_run(StictionSearch *search, bool (*stopped)(void *context), void *context,
                              const StictionListener *listener);

/* Returns a number of the search's state by its name in CtlState: rounds, evaluations, ivps, cache_hits, non_finite,
 * restarts, seconds, best, J, E1, E2, edge. Other names are n, d, and over, which is 0 or 1. NAN: there is no such
 * name. */
double stiction_search_number(const StictionSearch *search, const char *name);
/* Returns a part of the best point so far: "u" [n] is the point, "x" [d] its x(T) or its values, "v" [d] its x'(T).
 * Borrowed until the next call. NULL: there is no such name, or the search has not begun. */
const double *stiction_search_best(const StictionSearch *search, const char *name);
/* why the search ended, as in summary.json; "running" before */
const char *stiction_search_reason(const StictionSearch *search);
/* method of the search; for auto the one it has selected */
const char *stiction_search_method(const StictionSearch *search);

SIM_API_END

#endif
