/* A search whose points are asked for and whose answers are told, by numbers and names alone: for languages that have no structs of C,
 * Python say. In C see control/control.h. Where `search`, or a name or a text, is NULL: SIM_BAD_ARGUMENT, NULL, 0, false or NAN, and nothing is done.
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

/* Of n variables and m values of each point, ctl_problem_init_values; NULL: no memory, or sizes that it does not take. */
StictionSearch *stiction_search_create(int n, int m);
/* Of a file's control, with its section search; borrows the file. NULL: no memory, or no section control. */
StictionSearch *stiction_search_of_file(const StictionFile *file);
void stiction_search_destroy(StictionSearch *search); /* may be NULL */

/* Sets variable i, before the search begins: between lower and upper (INFINITY: no bound), from start. SIM_BAD_PROBLEM: there is no such variable. */
SimStatus stiction_search_variable(StictionSearch *search, int i, double lower, double upper, double start);
/* Sets what value i is, before the search begins: an "objective", a "residual", or a constraint, "equal", "at_most" or "at_least" target to tolerance, as
 * ctl_problem_set_value has it. SIM_BAD_PROBLEM: there is no such value or role. */
SimStatus stiction_search_value(StictionSearch *search, int i, const char *role, double target, double tolerance);
/* Sets the size of variable i, before the search begins: CtlProblem.size. SIM_BAD_PROBLEM: there is no such variable. */
SimStatus stiction_search_size(StictionSearch *search, int i, double size);
/* The values come with their derivatives, by stiction_search_tell_rows; before the search begins. SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_derivatives(StictionSearch *search);
/* Sets a key of ctl_values_search_parameters, before the search begins, by its text: "64", "pds". SIM_BAD_PROBLEM, reported to listener: there is no such
 * key, or it does not take that text. */
SimStatus stiction_search_key(StictionSearch *search, const char *key, const char *text,
                              const StictionListener *listener);

/* Checks it, tells mistakes to listener, and begins, or goes on from what stiction_search_save has saved (size 0: begins). Starts PETSc, and with it
 * MPI, where its method wants it: sim_petsc_start of sim/group.h tells what that sets in the process. Once. SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus stiction_search_begin(StictionSearch *search, const void *saved, size_t size,
                                const StictionListener *listener);
size_t stiction_search_saved_size(const StictionSearch *search);      /* bytes that stiction_search_save writes */
void stiction_search_save(const StictionSearch *search, void *bytes); /* its state, for stiction_search_begin */

/* As ctl_search_ask: up to max points [max][n] and their tickets. Of values alone; 0 of a file's. */
int stiction_search_ask(StictionSearch *search, int max, long *tickets, double *points);
/* The values [m] of a ticket's point, in any order; NULL: they could not be had, and the point counts as +inf. seconds: since the search began, here. Returns
 * whether the ticket was wanted. */
bool stiction_search_tell(StictionSearch *search, long ticket, const double *values, double seconds);

/* The same with the derivatives of the values, rows: [m][n], d value_i / d point_k. */
bool stiction_search_tell_rows(StictionSearch *search, long ticket, const double *values, const double *rows,
                               double seconds);

/* Simulates here until the search of a file is over. stopped: asked about every 50 ms whether to leave off; may be NULL. SIM_OK; SIM_NOT_FINISHED: left
 * off; SIM_NO_MEMORY; SIM_BAD_PROBLEM: of values, or over scenarios. */
SimStatus stiction_search_run(StictionSearch *search, bool (*stopped)(void *context), void *context,
                              const StictionListener *listener);

/* Where it stands: rounds, evaluations, ivps, cache_hits, non_finite, restarts, seconds, best, J, E1, E2, edge (CtlState); n, d; over: 0 or 1. NAN:
 * there is nothing of that name. */
double stiction_search_number(const StictionSearch *search, const char *name);
/* The best point [n], x(T) or its values [d], x'(T) [d]: "u", "x", "v"; borrowed until the next call. NULL: no such name, or not begun. */
const double *stiction_search_best(const StictionSearch *search, const char *name);
const char *stiction_search_reason(const StictionSearch *search); /* as in summary.json; "running" */
const char *stiction_search_method(const StictionSearch *search); /* who searches: of auto what that stands for */

SIM_API_END

#endif
