/* SPDX-License-Identifier: BSD-2-Clause */
/* stiction's control library. It steers a system with friction to a target with the least effort,
 *
 *   min J(u) = int_0^T N u.u dt  subject to  x(T) = x_T, x'(T) = v_T      Glowinski-Kearsley (2.4)-(2.6)
 *
 * or minimises a function that the user defines. The methods are SQP, a parallel direct search of a penalty function (P
 * or Pi_K, control/README.md), local methods of NLopt and PETSc, and combinations of these.
 *
 * Use: create a CtlProblem from a SimProblem or from a CtlFunction, set its numbers by the keys of problem files, and
 * call stiction_solve, which searches on any number of ranks, refines the best control, and returns it.
 *
 *   stiction_control_create(motion, &problem);
 *   stiction_control_set_values(problem, "control.target.position", 3, target);
 *   if (stiction_solve(problem, NULL, NULL, &answer) != CTL_OK) ..
 *   printf("J = %g\n", answer.J);
 *   stiction_answer_clear(&answer);
 *   stiction_control_destroy(problem);
 *
 * Invalid arguments never abort the program, and nothing is printed. Functions that return CtlStatus return
 * CTL_BAD_ARGUMENT, and stiction_control_status_text then names the function and the argument or key. All other
 * functions do nothing and return 0 or NULL.
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
  CTL_STOPPED = SIM_CANCELLED,         /* a CtlStop ended the search; the answer is the best point so far */
  CTL_FAILED = SIM_NOT_CONVERGED,      /* no point has a finite value */
  CTL_NO_MEMORY = SIM_NO_MEMORY,       /* out of memory */
  CTL_BAD_ARGUMENT = SIM_BAD_ARGUMENT, /* an argument or a key is invalid; nothing was done */
  CTL_BAD_PROBLEM = SIM_BAD_PROBLEM    /* the problem, or the motion that it steers, is invalid */
} CtlStatus;

/* Returns a short English phrase for a status; static storage. For CTL_BAD_ARGUMENT the phrase names the function and
 * the argument or key of the last call of this thread that returned this status. For CTL_BAD_PROBLEM it is the first
 * error that stiction_solve or stiction_control_check found. */
const char *stiction_control_status_text(CtlStatus status);

/* Search methods, for the key "search.method". control/README.md says when to use which.
 *
 * Local methods (nlopt:*, tao:*) start at `start` with a first step of length `step`. If a local method stalls (its
 * steps are below the tolerance, but the target is not met), it restarts at the best point with a quarter of the step.
 * It ends when its own step is below `tolerance`. In place of the result of a failed evaluation a local method gets a
 * target missed by 1e6; with user-defined values it gets 1e6 or twice the largest value so far. If a library does not
 * return within 20 s of processor time, the search abandons the library together with its thread and starts no further
 * local method. */
/* returns the name of the method with this number, 0, 1, ..; NULL beyond the last method; static storage */
const char *stiction_method_name(int method);
const char *stiction_method_about(int method); /* returns one sentence that describes the method; static storage */

/* Whether a local method and its thread have been abandoned in this process. The thread may hold a lock of a malloc
 * arena for ever. The caller should then free only its own allocations and end the process by _exit (thus without
 * PetscFinalize, for example). If PETSc was running in this thread, other searches of this process cannot use PETSc's
 * methods either, as the state of PETSc is global. */
bool stiction_thread_left(void);

/* Role of a value of a CtlFunction. */
typedef enum CtlRole {
  CTL_ROLE_OBJECTIVE, /* the value is minimised */
  CTL_ROLE_RESIDUAL,  /* the square of the value is added to f, the sum that is minimised */
  CTL_ROLE_MAGNITUDE, /* the absolute value is added to f */
  CTL_ROLE_EQUAL,     /* constraint: the value equals its target, up to its tolerance */
  CTL_ROLE_AT_MOST,   /* constraint: the value is at most its target, up to its tolerance */
  CTL_ROLE_AT_LEAST   /* constraint: the value is at least its target, up to its tolerance */
} CtlRole;

/* A user-defined function that replaces the motion and its effort, for stiction_control_create_values. */
typedef struct CtlFunction {
  int n;         /* number of variables */
  int m;         /* number of values */
  void *context; /* first argument of values and rows; borrowed */
  /* Computes the values [m] of a point [n]. Equal points must give equal bits. If the function returns a status other
   * than SIM_OK, or if a value is not finite, the point counts as +inf. Exception: after SIM_CANCELLED the point is
   * dropped, and the search stops. */
  SimStatus (*values)(void *context, const double *point, double *values);
  /* Computes the values and also their derivatives, rows: [m][n], d value_i / d point_k. Return statuses have the same
   * effects as for `values`. A derivative that is not finite counts as a failure. NULL: no derivatives. */
  SimStatus (*rows)(void *context, const double *point, double *values, double *rows);
} CtlFunction;

/* Reason why a search has ended. */
typedef enum CtlReason {
  CTL_RUNNING,          /* the search has not ended */
  CTL_REASON_TOLERANCE, /* the longest edge of the simplex (for other methods the relative step) is below its tolerance,
                         * and the target is met to "search.accept" */
  CTL_REASON_STOP_AT,   /* E1 and E2 are at most the value of the key "search.stop_at" */
  /* the budget of evaluations, rounds or seconds is used up. A local method also ends at limits of its own: 100000
   * points, or 256 MiB of stored points (but at least 512 points); sqp for user-defined values ends after 1000 trial
   * points of a run */
  CTL_REASON_BUDGET,
  CTL_REASON_STALL,    /* the edge or step is below its tolerance, the target is not met, and no restart is left */
  CTL_REASON_FAILED,   /* no finite value was found */
  CTL_REASON_TOO_LONG, /* too many simulations exceeded their work limit: all of the first 8, or more than 64 in
                        * total */
  CTL_REASON_SIGNAL    /* interrupted; the caller that stopped a search sets this reason, never the search itself */
} CtlReason;
/* returns the text that the output file summary.json has for a reason; static storage */
const char *stiction_reason_text(CtlReason reason);

/* A control problem. It owns its arrays. */
typedef struct CtlProblem CtlProblem;

/* Creates the problem of least effort for a motion. Its variables are the control of the motion, p forces in S
 * segments: n = p S. At first it has no target and no bounds, and its method is `auto`. motion: borrowed, with its
 * signal, T and size already set; it must outlive the problem, and its size, signal and T must not change. Returns
 * CTL_OK, CTL_NO_MEMORY or CTL_BAD_ARGUMENT. */
CtlStatus stiction_control_create(const SimProblem *motion, CtlProblem **problem);
/* Creates the problem of a user-defined function; *function is copied. All values are objectives until
 * stiction_control_set_role changes them. There are no bounds. The effort J is replaced by f, the sum of the
 * objectives, of the squared residuals and of the magnitudes. E1 is the largest violation of a constraint divided by
 * its tolerance; E2 is 0. n and m are 1..4096. Returns CTL_OK, CTL_NO_MEMORY or CTL_BAD_ARGUMENT. */
CtlStatus stiction_control_create_values(const CtlFunction *function, CtlProblem **problem);
void stiction_control_destroy(CtlProblem *problem);   /* problem: may be NULL */
int stiction_control_size(const CtlProblem *problem); /* returns n, the number of search variables */

/* The functions below set values by their keys in problem files (`man stiction-problem`), sections control and search.
 * They return CTL_OK, or CTL_BAD_ARGUMENT if the key or value is invalid. Then nothing is changed, and
 * stiction_control_status_text names the key and what is expected.
 *
 * stiction_control_set_value sets a key to one number; if the key is a vector, it sets all entries to this number. */
CtlStatus stiction_control_set_value(CtlProblem *problem, const char *key, double value);
/* Sets a key to numbers: "control.start", "control.bounds.lower", ".upper" [n] in N, or [p] for the same numbers in all
 * segments; "control.bounds.rate" [p], N/s; "control.weight" [p][p]; "control.target.position", ".velocity" [d], NAN:
 * free; "control.target.scale.position", ".velocity" [d]; "control.size" [n], only for variables of a user-defined
 * function; "search.simplex" [n][n], the edges of the first simplex. */
CtlStatus stiction_control_set_values(CtlProblem *problem, const char *key, int n, const double *values);
/* Sets a key to a word: "search.method", "search.refine". */
CtlStatus stiction_control_set_word(CtlProblem *problem, const char *key, const char *word);
/* Sets the role of value i of a user-defined function, 0 <= i < m. target and tolerance apply to constraints only. A
 * tolerance of 0 stands for 1e-6 max(1, |target|). */
CtlStatus stiction_control_set_role(CtlProblem *problem, int i, CtlRole role, double target, double tolerance);
/* Returns the value of a key, or its first entry if it is a vector; NAN if the key has no value. */
double stiction_control_get_value(const CtlProblem *problem, const char *key);
/* Returns the values of a key, borrowed, and their number in *n; NULL and 0 if the key has no values. */
const double *stiction_control_get_values(const CtlProblem *problem, const char *key, int *n);
/* Returns the word that is the value of a key, such as "sqp" for "search.method"; static storage. NULL: there is no
 * such key, or its value is a number. */
const char *stiction_control_get_word(const CtlProblem *problem, const char *key);
/* Reports each error by its key ("search.scheme_size", ...): invalid sizes or ranges, a weight that is not symmetric
 * and positive semi-definite, a degenerate user simplex, a start outside the bounds, no target at all. stiction_solve
 * calls this function. report may be NULL. Returns CTL_OK, CTL_BAD_PROBLEM, CTL_NO_MEMORY or CTL_BAD_ARGUMENT. */
CtlStatus stiction_control_check(const CtlProblem *problem, const SimReport *report);

/* Callback that stops a search early. */
typedef struct CtlStop {
  void *context;                  /* argument of `stopped`; borrowed */
  bool (*stopped)(void *context); /* called from time to time on the group's first rank; returns whether to stop */
} CtlStop;

/* Result of stiction_solve. */
typedef struct CtlAnswer {
  double *control; /* [n] the control u, or the variables of a user-defined function; owned, like x and v */
  double *x;       /* [d] x(T), in m, or the values of a user-defined function */
  double *v;       /* [d] x'(T) in m/s; zeros for a user-defined function */
  double J;        /* effort, in N^2 s with the default weight; or f of a user-defined function */
  double E1;       /* error E1 of the final position x(T), (4.1) of Glowinski-Kearsley; for a user-defined function, the
                 * largest violation of a constraint divided by its tolerance */
  double E2;       /* error E2 of the final velocity x'(T), (4.2) of Glowinski-Kearsley */
  bool meets;      /* whether E1 and E2 are at most "search.accept" */
  bool refined;    /* whether the best point of the search was refined towards less effort */
  CtlReason reason; /* reason why the search has ended */
  long evaluations; /* number of points evaluated, including those of the refinement */
  double seconds;   /* wall-clock time in s */
} CtlAnswer;

/* Searches, refines the best point by SQP if the motion has derivatives and "search.refine" is not none, and fills
 * *answer. The motion that is simulated is the motion of the problem, by the scheme that it names; with the scheme
 * `event` it is exact. Scenarios, bounds and certificates, which a problem file may ask for, are available only in the
 * program stiction.
 *
 * group: the ranks that evaluate points, all of which must call this function with equal problems; each rank gets the
 * same answer. NULL: this process alone. The answer has the same bits for any number of ranks. stop: stops the search
 * early; may be NULL.
 *
 * Returns CTL_OK; CTL_BAD_PROBLEM (stiction_control_status_text names the first error); CTL_STOPPED: *answer has the
 * best point so far; CTL_FAILED: no point has a finite value; CTL_NO_MEMORY; or CTL_BAD_ARGUMENT. *answer is cleared
 * unless the status is CTL_OK or CTL_STOPPED. */
CtlStatus stiction_solve(const CtlProblem *problem, SimGroup *group, const CtlStop *stop, CtlAnswer *answer);
void stiction_answer_clear(CtlAnswer *answer); /* frees the arrays of an answer */

SIM_API_END

#endif
