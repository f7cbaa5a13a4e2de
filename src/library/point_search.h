/* A search by numbers and names only, for languages without structs of C, for example Python. The caller asks for
 * points and returns their values. C programs use control/control.h or control/search.h. If `search`, a name or a text
 * is NULL, functions do nothing and return SIM_BAD_ARGUMENT, NULL, 0, false or NAN.
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

/* A search by numbers and names. */
typedef struct StictionSearch StictionSearch;

/* Creates a search with n variables and m values of each point (stiction_control_create_values). NULL: no memory, or invalid
 * sizes. */
StictionSearch *stiction_search_create(int n, int m);
/* Creates a search from a file's control and its section search; borrows the file. NULL: no memory, no section
 * control, or a plan (stiction_file_has_plan), which stiction_solve searches. */
StictionSearch *stiction_search_of_file(const StictionFile *file);
void stiction_search_destroy(StictionSearch *search); /* may be NULL */

/* Sets variable i before the search begins: lower and upper bound (INFINITY: none), and start. SIM_BAD_PROBLEM: no such
 * variable. */
SimStatus stiction_search_variable(StictionSearch *search, int i, double lower, double upper, double start);
/* Sets the role of value i before the search begins: "objective", "residual", or a constraint "equal", "at_most" or
 * "at_least" target to tolerance, as stiction_control_set_role. SIM_BAD_PROBLEM: no such value or role. */
SimStatus stiction_search_value(StictionSearch *search, int i, const char *role, double target, double tolerance);
/* Sets the size of variable i before the search begins ("control.size" of stiction_control_set_values). SIM_BAD_PROBLEM: no
 * such variable. */
SimStatus stiction_search_size(StictionSearch *search, int i, double size);
/* Declares, before the search begins, that the values come with their derivatives (stiction_search_tell_rows). SIM_OK,
 * SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_derivatives(StictionSearch *search);
/* Sets a key of the section search by its text, "64" or "pds", before the search begins. SIM_BAD_PROBLEM,
 * reported to listener: no such key, or an invalid text. */
SimStatus stiction_search_key(StictionSearch *search, const char *key, const char *text,
                              const StictionListener *listener);

/* Checks the search, reports errors to listener, and begins it; or resumes it from bytes of stiction_search_save (size
 * 0: begins). If its method needs PETSc, starts PETSc and with it MPI; stiction_petsc_start in sim/ranks.h describes the
 * effects on the process. Call it once. SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_begin(StictionSearch *search, const void *saved, size_t size,
                                const StictionListener *listener);
size_t stiction_search_saved_size(const StictionSearch *search);      /* bytes that stiction_search_save writes */
void stiction_search_save(const StictionSearch *search, void *bytes); /* its state, for stiction_search_begin */

/* Returns up to max points [max][n] and their tickets, like stiction_asktell_ask. Only for a search with values; 0 for a
 * file's search. */
int stiction_search_ask(StictionSearch *search, int max, long *tickets, double *points);
/* Passes the values [m] of a ticket's point to the search, in any order of tickets. NULL: the evaluation failed, and
 * the point counts as +inf. seconds: time since the search began, in this process. Returns whether the search expected
 * the ticket. */
bool stiction_search_tell(StictionSearch *search, long ticket, const double *values, double seconds);

/* As stiction_search_tell, with the derivatives of the values: rows [m][n], d value_i / d point_k. */
bool stiction_search_tell_rows(StictionSearch *search, long ticket, const double *values, const double *rows,
                               double seconds);

/* Runs the search of a file to its end, with simulations in this process. stopped: called about every 50 ms, returns
 * whether to stop; may be NULL. SIM_OK; SIM_NOT_FINISHED: stopped; SIM_NO_MEMORY; SIM_BAD_PROBLEM: a search with
 * values, or over scenarios. */
SimStatus stiction_search_run(StictionSearch *search, bool (*stopped)(void *context), void *context,
                              const StictionListener *listener);

/* Returns a number of the search's state: rounds, evaluations, ivps, cache_hits, non_finite, restarts, seconds, best,
 * J, E1, E2, edge (CtlState); n, d; over: 0 or 1. NAN: no such name. */
double stiction_search_number(const StictionSearch *search, const char *name);
/* Returns of the best point "u" [n], "x", x(T) [d] or its values, or "v", x'(T) [d]; borrowed until the next call.
 * NULL: no such name, or not begun. */
const double *stiction_search_best(const StictionSearch *search, const char *name);
const char *stiction_search_reason(const StictionSearch *search); /* why it ended, as in summary.json; "running" */
const char *stiction_search_method(const StictionSearch *search); /* search method; for auto the selected one */

SIM_API_END

#endif
