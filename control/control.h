/* SPDX-License-Identifier: BSD-2-Clause */
/* stiction's control library: steers a friction system to a target with the least effort,
 *
 *     min J(u) = int_0^T N u.u dt   subject to   x(T) = x_T,  x'(T) = v_T        Glowinski-Kearsley (2.4)-(2.6)
 *
 * or minimises a function of the user's own. The methods are SQP, a penalty function (P or Pi_K) with a parallel direct
 * search, local methods of NLopt and PETSc, and combinations.
 *
 * Use: create a CtlProblem from a SimProblem or from a CtlFunction, set its numbers by the keys of problem files, and
 * call stiction_solve, which searches on any number of ranks, refines, and returns the answer.
 *
 *     stiction_control_create(motion, &problem);
 *     stiction_control_set_values(problem, "control.target.position", 3, target);
 *     if (stiction_solve(problem, NULL, NULL, &answer) != CTL_OK) ..
 *     printf("J = %g\n", answer.J);
 *     stiction_answer_clear(&answer);
 *     stiction_control_destroy(problem);
 *
 * Invalid arguments never abort and nothing is printed. Functions that return CtlStatus return CTL_BAD_ARGUMENT, and
 * stiction_control_status_text then names the function and the argument or key. All other functions do nothing and
 * return 0 or NULL.
 *
 * Threads: several threads may call at once if each has its own search and problem. PETSc's methods and groups of ranks
 * may be used by only one thread at a time in the whole process. */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include "sim/sim.h"

SIM_API_BEGIN

/* Result of a call. Each value has the number of the SimStatus with the same meaning. */
typedef enum CtlStatus {
  CTL_OK = SIM_OK,                     /* success */
  CTL_STOPPED = SIM_CANCELLED,         /* a CtlStop ended the search; the answer is the best so far */
  CTL_FAILED = SIM_NOT_CONVERGED,      /* no point has a finite value */
  CTL_NO_MEMORY = SIM_NO_MEMORY,       /* out of memory */
  CTL_BAD_ARGUMENT = SIM_BAD_ARGUMENT, /* an argument or a key is invalid; nothing was done */
  CTL_BAD_PROBLEM = SIM_BAD_PROBLEM    /* the problem, or the motion that it steers, is invalid */
} CtlStatus;

/* Returns a short English phrase for a status; static storage. For CTL_BAD_ARGUMENT it names the function and the
 * argument or key of this thread's last such call, and for CTL_BAD_PROBLEM of stiction_solve and
 * stiction_control_check the first error. */
const char *stiction_control_status_text(CtlStatus status);

/* Search methods, for "search.method". control/README.md says when to use which.
 *
 * Local methods (nlopt:*, tao:*) start at `start` with a first step of `step`. After a stall they restart at the
 * best point with a quarter of the step. They end when their own step is below `tolerance`. A failed evaluation
 * counts for them as a target missed by 1e6; with user-defined values, as values of 1e6 or twice the largest value
 * so far. A library that does not return within 20 s of processor time is abandoned together with its thread; the
 * search then starts no further local method. */
/* returns the name of method 0, 1, ..; NULL beyond the last one; static storage */
const char *stiction_method_name(int method);
const char *stiction_method_about(int method); /* returns its description, one sentence; static storage */

/* Whether a local method and its thread have been abandoned in this process. The thread may hold a lock of a malloc
 * arena for ever. The caller should then free only its own allocations and end the process by _exit (without
 * PetscFinalize, for example). As the state of PETSc is global, after a thread in PETSc other searches of this process
 * cannot use PETSc's methods. */
bool stiction_thread_left(void);

/* Role of a value of a CtlFunction. */
typedef enum CtlRole {
  CTL_ROLE_OBJECTIVE, /* minimised */
  CTL_ROLE_RESIDUAL,  /* residual: the sum f contains its square */
  CTL_ROLE_MAGNITUDE, /* magnitude: the sum f contains its absolute value */
  CTL_ROLE_EQUAL,     /* constraint: the value equals its target, up to its tolerance */
  CTL_ROLE_AT_MOST,   /* constraint: the value is at most its target, up to its tolerance */
  CTL_ROLE_AT_LEAST   /* constraint: the value is at least its target, up to its tolerance */
} CtlRole;

/* A user-defined objective, for stiction_control_create_values. */
typedef struct CtlFunction {
  int n;         /* variables */
  int m;         /* values */
  void *context; /* first argument of values and rows; borrowed */
  /* Computes the values [m] of a point [n]. Equal points must give equal bits. With a status other than SIM_OK or a
   * value that is not finite, the point counts as +inf. Exception: SIM_CANCELLED drops the point, and the search
   * stops. */
  SimStatus (*values)(void *context, const double *point, double *values);
  /* Computes the values and their derivatives, rows: [m][n], d value_i / d point_k, in the same
   * way. A derivative that is not finite counts as a failure. NULL: no derivatives. */
  SimStatus (*rows)(void *context, const double *point, double *values, double *rows);
} CtlFunction;

/* Why a search has ended. */
typedef enum CtlReason {
  CTL_RUNNING,          /* it has not ended */
  CTL_REASON_TOLERANCE, /* the edge of the simplex (or another method's relative step) is below its tolerance, and
                         * the target is met to "search.accept" */
  CTL_REASON_STOP_AT,   /* E1 and E2 are at or below the key "search.stop_at" */
  /* the budget of evaluations, rounds or seconds is used up. A local method also ends at its limits: 100000 points, or
   * 256 MiB of stored points (512 points at least), and sqp for user-defined values at 1000 trials of a run */
  CTL_REASON_BUDGET,
  CTL_REASON_STALL,    /* the edge or step is below its tolerance, the target is not met, and no restart is left */
  CTL_REASON_FAILED,   /* no finite value was found */
  CTL_REASON_TOO_LONG, /* too many simulations exceeded their work limit: all of the first 8, or more than 64 */
  CTL_REASON_SIGNAL    /* interrupted; set by a driver for a search that it stopped, never by a search itself */
} CtlReason;
/* returns the text that summary.json has for a reason; static storage */
const char *stiction_reason_text(CtlReason reason);

/* A control problem. It owns its arrays. */
typedef struct CtlProblem CtlProblem;

/* Creates the problem of least effort for a motion: n = p S variables, u of the motion's control; no target, no bounds,
 * method `auto`. motion: borrowed, with its signal, T and size set; it must outlive the problem, and its size, signal
 * and T must not change. CTL_OK, CTL_NO_MEMORY, CTL_BAD_ARGUMENT. */
CtlStatus stiction_control_create(const SimProblem *motion, CtlProblem **problem);
/* Creates the problem of a user-defined function; *function is copied. All values are objectives until
 * stiction_control_set_role changes them. There are no bounds. f, the sum of the objectives, of the squared
 * residuals and of the magnitudes, takes the place of J. E1 is the largest miss of a constraint divided by its
 * tolerance; E2 is 0. n and m are 1..4096. Statuses as stiction_control_create. */
CtlStatus stiction_control_create_values(const CtlFunction *function, CtlProblem **problem);
void stiction_control_destroy(CtlProblem *problem);   /* may be NULL */
int stiction_control_size(const CtlProblem *problem); /* returns n, the number of search variables */

/* Keys are those of problem files (`man stiction-problem`) in the sections control and search. Errors as for
 * stiction_problem_set_value: CTL_BAD_ARGUMENT, nothing is changed, and the text names the key and what is expected.
 *
 * Sets a key to one number: all entries of a vector. */
CtlStatus stiction_control_set_value(CtlProblem *problem, const char *key, double value);
/* Sets a key to numbers: "control.start", "control.bounds.lower", ".upper" [n] in N; or [p], the same in all segments;
 * "control.bounds.rate" [p], N/s; "control.weight" [p][p]; "control.target.position", ".velocity" [d], NAN: free;
 * "control.target.scale.position", ".velocity" [d]; "control.size" [n], of a function's variables; "search.simplex"
 * [n][n], the edges of the first simplex. */
CtlStatus stiction_control_set_values(CtlProblem *problem, const char *key, int n, const double *values);
/* Sets a key to a word: "search.method", "search.refine". */
CtlStatus stiction_control_set_word(CtlProblem *problem, const char *key, const char *word);
/* Sets the role of value i of a function, 0 <= i < m. target and tolerance > 0 apply to constraints only; a tolerance
 * of 0 means 1e-6 max(1, |target|). */
CtlStatus stiction_control_set_role(CtlProblem *problem, int i, CtlRole role, double target, double tolerance);
/* Returns the value of a key, or the first entry of a vector; NAN if it has none. */
double stiction_control_get_value(const CtlProblem *problem, const char *key);
/* Returns the values of a key, borrowed, and their number in *n; NULL and 0 if it has none. */
const double *stiction_control_get_values(const CtlProblem *problem, const char *key, int *n);
/* Returns the value of a key with words for values, such as "sqp" for "method"; static storage. NULL: there is no such
 * key, or its value is a number. */
const char *stiction_control_get_word(const CtlProblem *problem, const char *key);
/* Reports each error by its key ("search.scheme_size", ...): sizes, ranges, a weight that is not symmetric PSD, a
 * degenerate user simplex, a start outside the bounds, no target at all. stiction_solve calls it. report may be NULL.
 * CTL_OK, CTL_BAD_PROBLEM, CTL_NO_MEMORY or CTL_BAD_ARGUMENT. */
CtlStatus stiction_control_check(const CtlProblem *problem, const SimReport *report);

/* A callback that stops a search early. */
typedef struct CtlStop {
  void *context;                  /* argument of stopped; borrowed */
  bool (*stopped)(void *context); /* called from time to time on the group's first rank; returns whether to stop */
} CtlStop;

/* The answer of stiction_solve. */
typedef struct CtlAnswer {
  double *control; /* [n] the control u, or the variables of a function; owned, like x and v */
  double *x;       /* [d] x(T), in m, or the values of a function */
  double *v;       /* [d] x'(T) in m/s; 0 for a function */
  double J;        /* effort, N^2 s with the default weight; or f of a function */
  double E1;    /* error E1 of x_T, (4.1); for a function, the largest miss of a constraint divided by its tolerance */
  double E2;    /* miss of v_T (4.2) */
  bool meets;   /* whether E1 and E2 are at most "search.accept" */
  bool refined; /* whether the search's answer was refined towards less effort */
  CtlReason reason; /* reason why the search has ended */
  long evaluations; /* number of points evaluated, including those of the refinement */
  double seconds;   /* wall clock in s */
} CtlAnswer;

/* Searches, refines the answer by SQP if the motion has derivatives and "search.refine" is not none, and fills *answer.
 * The motion is the problem's own, by its scheme; with `event` it is exact. Scenarios, bounds and certificates of a
 * problem file are for the program alone.
 *
 * group: the ranks that evaluate points, all of which call this with equal problems; each gets the same answer. NULL:
 * this process alone. The answer has the same bits for any number of ranks. stop: stops the search early; may be NULL.
 *
 * CTL_OK; CTL_BAD_PROBLEM (stiction_control_status_text names the first error); CTL_STOPPED: *answer has the best
 * point so far; CTL_FAILED: no point has a finite value; CTL_NO_MEMORY; CTL_BAD_ARGUMENT. *answer is cleared unless
 * CTL_OK or CTL_STOPPED. */
CtlStatus stiction_solve(const CtlProblem *problem, SimGroup *group, const CtlStop *stop, CtlAnswer *answer);
void stiction_answer_clear(CtlAnswer *answer); /* frees its arrays */

SIM_API_END

#endif
