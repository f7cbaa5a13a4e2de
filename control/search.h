/* SPDX-License-Identifier: BSD-2-Clause */
/* A search as a state machine without side effects, for callers that evaluate points in their own way (a service, other
 * processes). A search returns the points to evaluate (ask) and accepts their outcomes in any order (tell). It does not
 * depend on MPI, on physics or on a clock. stiction_solve in control/control.h does all of this in one call. */
#ifndef CONTROL_SEARCH_H
#define CONTROL_SEARCH_H

#include "control/control.h"

SIM_API_BEGIN

/* What to evaluate at a point (a control). */
typedef struct CtlWant {
  /* which motion to simulate, a CtlMotion (control/motion.h), for the evaluators of this project; other evaluators may
   * ignore it */
  int motion;
  bool derivatives; /* whether CtlOutcome.rows are needed */
  /* number of segments of the control signal, a divisor of the problem's number S; 0: all S segments. Only evaluators
   * with CtlEvaluator.segments > 0 get other numbers than 0 */
  int segments;
} CtlWant;

/* Outcome of an evaluation. The merit (penalty function P or Pi_K) is formed from outcomes at the end of a simplex, so
 * that a change of penalty parameters never requires new simulations. */
typedef struct CtlOutcome {
  const double *x; /* [d] x(T), or the user-defined values */
  const double *v; /* [d] final velocity x'(T); unused for user-defined values */
  /* [m][n + 2] derivatives: one row for each of the m entries of x_T and then of v_T with a target, or for each
   * user-defined value. A row has n derivatives and two more numbers, which are 0 except for the velocity of a dof that
   * sticks at T after it came to rest at t0: a (T - t0) and a, with the deceleration a just before t0. Its n
   * derivatives are then those of the extrapolated velocity a (T - t0). NULL: no derivatives. Entries that are not
   * finite: the evaluation has failed. */
  const double *rows;
  long iterations;  /* number of iterations of the solver, summed over all time steps */
  SimStatus status; /* if it is not SIM_OK, the point counts as +inf and is counted in the report */
} CtlOutcome;

/* The search. */
typedef struct CtlSearch CtlSearch;

/* Creates a search. problem: borrowed, must outlive the search. *search: NULL unless CTL_OK. Returns CTL_OK,
 * CTL_NO_MEMORY, CTL_BAD_PROBLEM (stiction_control_check reports why) or CTL_BAD_ARGUMENT. CTL_BAD_ARGUMENT is also
 * returned for a method that needs PETSc (tao:*, hybrid, and auto without derivatives) before PETSc has been started
 * (stiction_petsc_start). */
CtlStatus stiction_asktell_create(const CtlProblem *problem, CtlSearch **search);
void stiction_asktell_destroy(CtlSearch *search); /* search: may be NULL */

/* Hands out up to max points of the current round that have neither been evaluated nor handed out: writes a number that
 * identifies the point to tickets[i], the point to controls[i][n], and to *want what to evaluate at all of them.
 * Returns the number of points handed out. This number is 0 if all points are handed out, if the search is computing,
 * or if it has ended. */
int stiction_asktell_ask(CtlSearch *search, int max, long *tickets, double *controls, CtlWant *want);

/* Whether the search still expects the outcome of the point with this ticket. */
bool stiction_asktell_wants(const CtlSearch *search, long ticket);

/* Accepts the outcome of the point with this ticket and copies it. Outcomes may come in any order; an unexpected one (a
 * second outcome of a ticket, for example) has no effect. seconds: wall-clock time since the start, used for
 * max_seconds only. Returns whether the outcome completed a simplex; the search is then at the next simplex. */
bool stiction_asktell_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, double seconds);

/* Advances over one simplex if the outcomes of all its points are known already. Returns whether there was such a
 * simplex. Call this function after each call of stiction_asktell_tell that completed a simplex, until it returns
 * false. */
bool stiction_asktell_advance(CtlSearch *search);

/* State of a search after a simplex and at the end. Pointers are borrowed and valid until the next tell. */
typedef struct CtlState {
  CtlReason reason; /* reason why the search has ended, or CTL_RUNNING */
  long rounds;      /* number of completed rounds: simplexes of pds; for local methods, rounds with one point of each */
  /* number of evaluated points inside the bounds, including cached ones, but not those that a local method caches
   * itself */
  long evaluations;
  long ivps;       /* number of these evaluations that were simulated (solutions of initial value problems) */
  long cache_hits; /* number of points with a cached outcome, evaluations - ivps */
  /* number of pattern queries (control/motion.h), which count neither as evaluations nor as simulations */
  long questions;
  long patterns; /* number of patterns of stick and slip that were examined for these queries */
  /* number of simulations that failed or gave a non-finite merit; those of out_of_range and too_long are not
   * included */
  long non_finite;
  /* number of simulations that left the range in which a law is defined (SIM_OUT_OF_RANGE); they count as +inf */
  long out_of_range;
  long timed_out; /* number of the non_finite simulations that were ended by a time limit (SIM_NOT_FINISHED) */
  long too_long;  /* number of simulations that exceeded their work limit (SIM_TOO_LONG); they count as +inf */
  long restarts;  /* number of restarts after stalls */
  long starts;    /* number of runs of the method `auto` from different initial points; 0 for other methods */
  long reached;   /* number of these runs that led to the best J, up to a relative difference of 1e-6 */
  /* whether the search ended because memory was lacking for a restart, a local method or the second part of hybrid */
  bool no_memory;
  long method_errors; /* number of local methods that ended with an error of their library or were abandoned while the
                       * library was running */
  long iterations;    /* number of solver iterations, summed over all time steps of all simulations */
  double seconds;     /* time of the latest call of stiction_asktell_tell, in s, including the time before a resume */
  double best;        /* merit of the best point; +inf if none is finite */
  double J;           /* effort J of the best point, or the objective f of user-defined values; +inf if unknown or not
                       * finite */
  /* error of the final position, (4.1) of Glowinski-Kearsley, 0 without a target position; for user-defined values the
   * largest violation of a constraint divided by its tolerance */
  double E1;
  double E2;             /* error of the final velocity, (4.2) of Glowinski-Kearsley, 0 without a target velocity */
  double edge;           /* longest edge of the simplex; for a local method the length of its first step, and 0 after it
                          * has ended */
  double rho[3];         /* penalty parameters rho1, rho2, rho3 */
  long scheme_size;      /* number s of points per simplex at present; a restart increases it */
  const double *control; /* [n] best point */
  const double *x;       /* [d] final position x(T) of the best point, or the user-defined values there */
  const double *v;       /* [d] final velocity x'(T) of the best point */
} CtlState;
/* Fills *state with the present state of the search. */
void stiction_asktell_state(const CtlSearch *search, CtlState *state);

/* Returns the size of the serialised state of a search, in bytes: the known points and the outcomes so far of the
 * current simplex. The state may be saved at any time; points that are handed out without an outcome are handed out
 * again after loading. The bytes depend on the machine's byte order and name their format, their method and the sources
 * of the build. */
size_t stiction_asktell_saved_size(const CtlSearch *search);
/* Writes the serialised state, stiction_asktell_saved_size bytes. */
void stiction_asktell_save(const CtlSearch *search, void *bytes);

/* Creates a search from saved bytes. It continues bit for bit like the saved search. The problem must be the same
 * (borrowed, outlives the search). The function is safe against any bytes. Returns CTL_OK, CTL_NO_MEMORY, or
 * CTL_BAD_PROBLEM for bytes that are not a saved search of this format, method and build; then report (may be NULL)
 * gets the reason under the key "search". *search is NULL unless CTL_OK. Seconds of later calls of
 * stiction_asktell_tell are added to those of the saved search. */
CtlStatus stiction_asktell_load(const CtlProblem *problem, const void *bytes, size_t size, const SimReport *report,
                                CtlSearch **search);

SIM_API_END

#endif
