/* SPDX-License-Identifier: BSD-2-Clause */
/* A search, used through functions that need only numbers and names as arguments, for languages without structs of C,
 * e.g. Python. The caller asks for points and returns their values. C programs use control/control.h or
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

/* Creates a search with n variables and m values at each point (as stiction_control_create_values). Returns NULL if the
 * sizes are invalid or there is no memory. */
StictionSearch *stiction_search_create(int n, int m);
/* Creates a search from the sections control and search of a file, which the search borrows. Returns NULL if there is
 * no memory, if the file has no section control, or if it has a plan (stiction_file_has_plan), which only
 * stiction_solve can search. */
StictionSearch *stiction_search_of_file(const StictionFile *file);
void stiction_search_destroy(StictionSearch *search); /* may be NULL */

/* Sets lower bound, upper bound and start of variable i; an infinite bound means no bound. Must be called before the
 * search begins. Returns SIM_BAD_PROBLEM if there is no such variable. */
SimStatus stiction_search_variable(StictionSearch *search, int i, double lower, double upper, double start);
/* Sets the role of value i. Roles are "objective", "residual", and the constraints "equal", "at_most" and "at_least",
 * which compare the value with target up to tolerance (stiction_control_set_role). Must be called before the search
 * begins. Returns SIM_BAD_PROBLEM if there is no such value or role. */
SimStatus stiction_search_value(StictionSearch *search, int i, const char *role, double target, double tolerance);
/* Sets the typical size of variable i ("control.size" of stiction_control_set_values). Must be called before the search
 * begins. Returns SIM_BAD_PROBLEM if there is no such variable. */
SimStatus stiction_search_size(StictionSearch *search, int i, double size);
/* Declares that the caller supplies derivatives with the values (stiction_search_tell_rows). Must be called before the
 * search begins. Returns SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_derivatives(StictionSearch *search);
/* Sets a key of the section search to a value given as text, e.g. "64" or "pds". Must be called before the search
 * begins. Returns SIM_BAD_PROBLEM, after a message to listener, if there is no such key or the text is invalid. */
SimStatus stiction_search_key(StictionSearch *search, const char *key, const char *text,
                              const StictionListener *listener);

/* Checks the search, reports errors to listener, and begins the search. If size > 0, resumes the search that
 * stiction_search_save has saved in `saved` [size]. If its method needs PETSc, starts PETSc and with it MPI;
 * stiction_petsc_start in sim/ranks.h describes what this does to the process. Must be called once only. Returns
 * SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_begin(StictionSearch *search, const void *saved, size_t size,
                                const StictionListener *listener);
size_t stiction_search_saved_size(const StictionSearch *search); /* number of bytes that stiction_search_save writes */
/* saves the state of the search, for stiction_search_begin */
void stiction_search_save(const StictionSearch *search, void *bytes);

/* Writes up to max points [max][n] and their tickets, as stiction_asktell_ask does. Returns their number; 0 for a
 * search of a file. */
int stiction_search_ask(StictionSearch *search, int max, long *tickets, double *points);
/* Gives the search the values [m] at the point with this ticket. Points may be evaluated in any order. values NULL: the
 * evaluation failed, so the point counts as infinitely bad. seconds: time since the search began, in this process.
 * Returns whether the search expected this ticket. */
bool stiction_search_tell(StictionSearch *search, long ticket, const double *values, double seconds);

/* Works as stiction_search_tell, and adds the derivatives of the values: rows [m][n], d value_i / d point_k. */
bool stiction_search_tell_rows(StictionSearch *search, long ticket, const double *values, const double *rows,
                               double seconds);

/* Runs the search of a file to its end, with simulations in this process. stopped: called about every 50 ms; returns
 * whether to stop; may be NULL. Returns SIM_OK; SIM_NOT_FINISHED if it was stopped; SIM_NO_MEMORY; or SIM_BAD_PROBLEM
 * if the caller must supply the values, or the file has scenarios. */
SimStatus stiction_search_run(StictionSearch *search, bool (*stopped)(void *context), void *context,
                              const StictionListener *listener);

/* Returns a number that describes the state of the search, by its name in CtlState: rounds, evaluations, ivps,
 * cache_hits, non_finite, restarts, seconds, best, J, E1, E2 or edge. Further names are n, d, and `over`, which is 1 if
 * the search has ended, otherwise 0. Returns NAN if there is no such name. */
double stiction_search_number(const StictionSearch *search, const char *name);
/* Returns data of the best point so far: "u" [n] is the point, "x" [d] its x(T) or its values, "v" [d] its x'(T). The
 * result is borrowed until the next call. Returns NULL if there is no such name, or the search has not begun. */
const double *stiction_search_best(const StictionSearch *search, const char *name);
/* the reason why the search ended, as in summary.json; "running" before its end */
const char *stiction_search_reason(const StictionSearch *search);
/* method of the search; for `auto`, the method that was selected */
const char *stiction_search_method(const StictionSearch *search);

SIM_API_END

#endif
