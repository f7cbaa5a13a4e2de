/* stiction's control library: steers a friction system to a target with the least effort,
 *
 *     min J(u) = int_0^T N u.u dt   subject to   x(T) = x_T,  x'(T) = v_T        Glowinski-Kearsley (2.4)-(2.6)
 *
 * The methods are SQP, a penalty function (P or Pi_K) with a parallel direct search, local methods of NLopt and
 * PETSc, and combinations. Instead of a motion, a search may have a user-defined objective and constraints
 * (ctl_problem_init_values). A CtlSearch is a state machine without side effects. It returns the points to evaluate
 * (ask) and accepts their outcomes in any order (tell). It does not depend on MPI, on physics or on a clock. Drivers
 * (evaluator.h) connect it to an evaluator.
 *
 * Invalid arguments never abort and nothing is printed, in all headers of this folder. Functions that return
 * SimStatus return SIM_BAD_ARGUMENT, and drives return CTL_DRIVE_BAD_ARGUMENT; sim_status_text(SIM_BAD_ARGUMENT)
 * then names the function and the argument. All other functions do nothing and return 0, NULL or an evaluator that
 * every drive refuses.
 *
 * Threads: several threads may call at once if each has its own search, problem and evaluator. PETSc's methods and
 * MPI pools may be used by only one thread at a time in the whole process. */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include "sim/parameter.h"
#include "sim/sim.h"

SIM_API_BEGIN

/* Search methods, numbered from 0 in the order of control/search/methods.c. Problem files, results and saved
 * searches contain their names. control/README.md says when to use which.
 *
 * Local methods (nlopt:*, tao:*) start at `start` with a first step of `step`. After a stall they restart at the
 * best point with a quarter of the step. They end when their own step is below `tolerance`. A failed evaluation
 * counts for them as a target missed by 1e6; with user-defined values, as values of 1e6 or twice the largest value
 * so far. A library that does not return within 20 s of processor time is abandoned together with its thread; the
 * search then starts no further local method. */
int ctl_method_find(const char *name);     /* number of "nlopt:cobyla", in any case; -1: unknown */
const char *ctl_method_name(int method);   /* NULL beyond the last method */
const char *ctl_method_about(int method);  /* description, one sentence */
bool ctl_method_wants_petsc(int method);   /* needs sim_petsc_start (sim/group.h) before the search is created */
bool ctl_method_of_scenarios(int method);  /* minimises only a statistic of scenarios */
bool ctl_method_fixes_penalty(int method); /* treats constraints by a penalty whose parameters stay constant */
bool ctl_method_has_simplexes(int method); /* its rounds are simplexes of scheme_size points */
/* Name of a round of an existing method for messages, in the plural if `several`. */
const char *ctl_method_round(int method, bool several);

/* Whether a local method and its thread have been abandoned in this process. The thread may hold a lock of a malloc
 * arena for ever. The caller should then free only its own allocations and end the process by _exit (without
 * PetscFinalize, for example). If the thread was in PETSc, whose state is global, other searches of this process
 * cannot use PETSc's methods. */
bool ctl_thread_left(void);

typedef enum CtlPenaltyKind { CTL_PENALTY_P, CTL_PENALTY_PI } CtlPenaltyKind;
typedef enum CtlNorm { CTL_NORM_1, CTL_NORM_2, CTL_NORM_INF } CtlNorm;
typedef enum CtlRhoUpdate { CTL_RHO_CONSTANT, CTL_RHO_DYNAMIC } CtlRhoUpdate;
/* Refinement of the answer after the search by control/refine.h. The caller does it; the search only stores the
 * choice. */
typedef enum CtlRefinement { CTL_REFINE_EXACT, CTL_REFINE_GRID, CTL_REFINE_NONE } CtlRefinement;
/* Lower bound on J over all controls (control/bound.h). auto: if it costs less than the search. given: down to a
 * given gap. */
typedef enum CtlBoundChoice { CTL_BOUND_AUTO, CTL_BOUND_GIVEN, CTL_BOUND_YES, CTL_BOUND_NO } CtlBoundChoice;
/* Statistic of the scenarios' misses E1 + E2 that a search minimises. */
typedef enum CtlStatistic {
  CTL_NOMINAL, /* one motion, no statistic */
  CTL_MEAN,    /* mean */
  CTL_WORST,   /* maximum */
  CTL_QUANTILE /* quantile: the smallest miss that this share of the scenarios does not exceed */
} CtlStatistic;
/* Role of a user-defined value: ctl_problem_init_values. */
typedef enum CtlRole {
  CTL_ROLE_OBJECTIVE, /* minimised */
  CTL_ROLE_RESIDUAL,  /* the square is minimised */
  CTL_ROLE_MAGNITUDE, /* the absolute value is minimised */
  CTL_ROLE_EQUAL,     /* constraint: equals its target, to its tolerance */
  CTL_ROLE_AT_MOST,   /* constraint: at most its target, to its tolerance */
  CTL_ROLE_AT_LEAST   /* constraint: at least its target, to its tolerance */
} CtlRole;
/* Steps of a variable by `sqp` for user-defined values. */
typedef enum CtlStepRule {
  CTL_STEP_ANY,
  CTL_STEP_PART, /* at most a fifth of its value */
  CTL_STEP_SIDE  /* keeps its sign; 0 stays 0 */
} CtlStepRule;
typedef enum CtlSimplexKind { CTL_SIMPLEX_RIGHT, CTL_SIMPLEX_REGULAR, CTL_SIMPLEX_USER } CtlSimplexKind;

enum {
  CTL_SCHEME_PAPER = 1744,        /* 8 nodes of 218 points: implied by the paper's counts of IVPs */
  CTL_SCHEME_MAX = 1 << 20,       /* maximum number of points of a simplex */
  CTL_CONTROLS_MAX = 4096,        /* maximum number of search variables */
  CTL_SIMPLEX_CONTROLS_MAX = 64,  /* maximum number of search variables of methods with simplexes */
  CTL_SMOOTH_CONTROLS_MAX = 1024, /* maximum number of search variables of sqp for user-defined values */
  CTL_SCENARIOS_MAX = 256,        /* maximum number of motions per point */
  CTL_STARTS_MAX = 4096           /* maximum number of local methods side by side */
};
#define CTL_RHO_MAX 1e6 /* upper limit of rho in (3.2), (3.3) */

/* Why a search has ended. */
typedef enum CtlReason {
  CTL_RUNNING,
  CTL_REASON_TOLERANCE, /* edge (or relative size) below tolerance and target met to `accept` */
  CTL_REASON_STOP_AT,   /* E1 and E2 at or below stop_at */
  /* evaluations, simplexes or seconds used up; a local method also ends by its limits: 100000 points, or 256 MiB of
   * stored points (512 points at least) */
  CTL_REASON_BUDGET,
  CTL_REASON_STALL,    /* edge below tolerance, target not met, no restart left */
  CTL_REASON_FAILED,   /* no finite value was found */
  CTL_REASON_TOO_LONG, /* too many simulations exceeded their work limit: all of the first 8, or more than 64 */
  CTL_REASON_SIGNAL    /* interrupted: set by a driver for a search that it stopped, never by a search */
} CtlReason;
const char *ctl_reason_text(CtlReason reason); /* text as in summary.json */

/* The control problem. It owns its arrays, in one block: ctl_problem_init allocates it, ctl_problem_clear frees it. */
typedef struct CtlProblem {
  int n; /* search variables, p S */
  int d; /* degrees of freedom of the model */
  int p; /* entries of u; each has S segments in time: sim/signal.h */
  SimSignal signal;
  int segments; /* S */
  double end;   /* T, s */

  /* [d] roles of user-defined values; NULL (default): a motion. With roles, an evaluation returns d values in place
   * of x(T). f, the sum of the objectives, of the squared residuals and of the magnitudes, takes the place of J. `position` has the
   * constraints' targets and `position_scale` their tolerances, NAN for other roles. E1 is the largest miss divided
   * by its tolerance; E2 is 0. */
  CtlRole *roles;

  double *weight; /* [p][p] N, symmetric positive semi-definite; default identity; unused with roles */
  double *start;  /* [n] u at the first vertex, N; default 0 */
  /* [S][d] directions of slip of each joint in each segment, -1, 0 (sticks) or 1. `auto` also starts from this
   * pattern if the problem has patterns. NULL (default): none. */
  signed char *start_ways;
  /* [n] lower bound of u, N; default -INFINITY. PDS assigns +inf to points out of bounds without simulation. Local
   * methods move points inside (control/problem/bounds.h); they know lower and upper, but not rate. */
  double *lower;
  double *upper; /* [n] upper bound of u, N; default INFINITY */
  /* [n] size of each variable, > 0; default 1. With roles `sqp` changes a variable by at most about `step` sizes at
   * first, and its accuracy is relative to it; unused otherwise. */
  double *size;
  CtlStepRule *rules; /* [n] with roles, for `sqp`; NULL (default): CTL_STEP_ANY for all; owned, from malloc */
  /* [start_count][n] with roles: further starts of `sqp`, within the bounds; NULL (default): none; owned, from malloc */
  double *starts;
  int start_count;
  double *rate;           /* [p] limit of |u_k - u_{k-1}| S/T, N/s; default INFINITY; unused for a constant control */
  double *position;       /* [d] x_T, m; NAN: free (default) */
  double *velocity;       /* [d] v_T, m/s; NAN: free (default) */
  double *position_scale; /* [d] divisor of the misses of x_T in E1, m; NAN (default): the size of x_T */
  double *velocity_scale; /* [d] divisor of the misses of v_T in E2, m/s; NAN (default): the size of v_T */
  /* h > 0, m: x_T is a function of the position along a string, sampled at spacing h. Norms are then sqrt(h sum r^2)
   * and h sum |r|, with one scale for all entries; E1 uses the former. 0 (default): a vector; E1 uses its largest
   * entry. */
  double position_spacing;
  double velocity_spacing; /* spacing of v_T for E2 */

  /* With scenarios, the final states of all motions are concatenated: d and the targets count all of them. The
   * statistic of E1 + E2 replaces the misses in P and Pi_K; the statistics of E1 and E2 replace E1 and E2. The
   * search ends when it is small. */
  int scenarios;          /* 0 (default): one motion and no statistic */
  CtlStatistic statistic; /* default nominal */
  double quantile;        /* quantile, in (0, 1) */
  double
      effort_at_most; /* limit of J, with a statistic: points above it count as out of bounds; 0 (default): no limit */

  int method;             /* ctl_method_find; default 0, pds */
  CtlPenaltyKind penalty; /* default P */
  CtlNorm norm;           /* norm of P; default 2 */
  double rho;             /* initial value of rho1, rho2, rho3; 0 (default): 1e6, or 1e5 when dynamic */
  CtlRhoUpdate rho_update;

  long scheme_size; /* s, points per simplex; 0 (default) = auto: max(3n, 64) */
  CtlSimplexKind simplex;
  double step; /* h, edge of the first simplex; default 1 */
  /* [n][n] user simplex: row j = v_{j+1} - v_0; used with CTL_SIMPLEX_USER. NULL if n > CTL_SIMPLEX_CONTROLS_MAX. */
  double *edges;

  double tolerance;          /* limit of the longest edge; default 1e-10 */
  double relative_tolerance; /* limit of max_i ||v_i - v_0|| / max(1, ||v_0||); 0 (default): unused */
  double accept;             /* E1 and E2 for success; default 1e-6; with roles 1 */
  /* Stops early at E1, E2 <= stop_at; 0 (default): unused. With roles: at f <= stop_at if the constraints are met;
   * default -INFINITY. */
  double stop_at;
  long max_evaluations;      /* 0 (default): no limit */
  long max_simplexes;        /* 0 (default): no limit */
  double max_seconds;        /* s; 0 (default): no limit */
  double evaluation_timeout; /* s, enforced by drivers, since the search has no clock; 0 (default): none */
  int restarts;              /* maximum number of restarts after stalls; default 2 */
  double resolution;    /* s: a dof that stops within this time of T counts as stopping at T (grid step); default 0 */
  CtlRefinement refine; /* default exact */
  bool derivatives;     /* the evaluator supplies derivatives of the final state, or of the values; default false */
  /* With roles and derivatives: n further rows of CtlOutcome.rows are a positive semi-definite matrix [n][n], the
   * Hessian of the objectives or its Gauss-Newton approximation; default false. */
  bool curvature;
  bool levels;                 /* the evaluator accepts points of fewer segments (CtlWant.segments); default false */
  bool patterns;               /* the evaluator answers pattern queries (control/motion.h); default false */
  char derivative_schemes[64]; /* for messages: schemes with derivatives for this model, "moreau, event"; default "" */
  /* The set of controls that meet the target is known to be convex (ctl_targets_are_convex): one local minimum; default
   * false. */
  bool convex;
  int local_starts;       /* 1..CTL_STARTS_MAX; 0 (default): chosen by the method, 2 for hybrid */
  bool certify;           /* prove that the answer has least effort; done by the caller; default false */
  double certify_gap;     /* gap of that proof as a part of J, in (0, 1); default 0.01 */
  double certify_seconds; /* time limit of that proof, s; 0: no limit; default an hour */
  CtlBoundChoice bound;   /* lower bound over all controls; computed by the caller; default auto */
  double bound_gap;       /* gap of that bound as a part of J, in (0, 1), with CTL_BOUND_GIVEN; default 0.02 */
  double bound_seconds;   /* time limit of that bound, s; 0: no limit; default a minute */
} CtlProblem;

/* The method that solves the problem: problem->method, but hybrid in place of `auto` if there are no derivatives. */
int ctl_problem_method(const CtlProblem *problem);
/* Whether that method uses derivatives. */
bool ctl_problem_wants_derivatives(const CtlProblem *problem);
/* Whether that method relies on derivatives alone, so that its answer is as exact as they are. */
bool ctl_problem_needs_derivatives(const CtlProblem *problem);
/* Whether that method or a part of it calls a library, which may take up to 20 s to return (control/local). */
bool ctl_problem_calls_library(const CtlProblem *problem);

/* Keys of the sections search, certify and bound of a problem file that CtlProblem stores, with defaults and ranges. */
extern const SimParameter ctl_search_parameters[], ctl_certify_parameters[], ctl_bound_parameters[];
extern const SimParameter ctl_values_search_parameters[]; /* section search of a problem with roles */

/* Initialises a problem with a constant control of n entries. SIM_OK, SIM_NO_MEMORY or SIM_BAD_ARGUMENT. */
SimStatus ctl_problem_init(CtlProblem *problem, int n, int d);
/* Initialises a problem with a time-varying control. */
SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d);
/* Initialises a problem with a user-defined objective: n variables, m values per point, no bounds. All values are
 * objectives until ctl_problem_set_value changes them. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_ARGUMENT, for example if n
 * or m is not in 1..CTL_CONTROLS_MAX. */
SimStatus ctl_problem_init_values(CtlProblem *problem, int n, int m);
/* Sets the role of value i, 0 <= i < m. target and tolerance > 0 apply to constraints only; a tolerance of 0 means
 * 1e-6 max(1, |target|). Returns SIM_OK, or SIM_BAD_ARGUMENT for a bad index or a problem without roles.
 * ctl_problem_check checks the numbers. */
SimStatus ctl_problem_set_value(CtlProblem *problem, int i, CtlRole role, double target, double tolerance);
void ctl_problem_clear(CtlProblem *problem);
/* Reports each error by its key ("search.scheme_size", ...): sizes, ranges, a weight that is not symmetric
 * PSD, a degenerate user simplex (rank by pivoted QR), a start outside the bounds, no target at all, s < 2n,
 * a budget smaller than one simplex. SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus ctl_problem_check(const CtlProblem *problem, const SimReport *report);
/* Value of scheme_size `auto`: max(3n, 64). */
long ctl_scheme_auto(int n);
/* s with `auto` resolved. */
long ctl_problem_scheme_size(const CtlProblem *problem);
/* rho with its default resolved. */
double ctl_problem_rho(const CtlProblem *problem);

/* Makes the problem of `scenarios` motions and its statistic from the problem of one motion. The caller clears
 * `stacked`. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_problem_stack(const CtlProblem *one, int scenarios, CtlProblem *stacked);

/* J(u) = int_0^T N u.u dt, exactly. With h = T/S it is the sum over segments of h u_k'N u_k, or for piecewise linear
 * controls of h (u_{k-1}'N u_{k-1} + u_{k-1}'N u_k + u_k'N u_k)/3. control: [n]. */
double ctl_cost(const CtlProblem *problem, const double *control);

/* ||(y - target)/scale|| over the given (not NAN) entries of target; 0 if there are none. It is E1 of (4.1) for the
 * position and E2 of (4.2) for the velocity. y, target, scale: [d]; a NAN scale stands for max(1, ||target||), as in
 * the papers. The norm is the largest entry, or sqrt(spacing sum r^2) if spacing > 0, which requires equal entries
 * of scale. */
double ctl_target_error(int d, const double *y, const double *target, const double *scale, double spacing);
/* Number of given entries of x_T and v_T, except those of functions along a string, which least squares make few. */
int ctl_targets_alone(const CtlProblem *problem);
/* Whether there are fewer forces than degrees of freedom. Waves then move the other dofs, and the timing of u
 * matters. */
bool ctl_problem_is_underactuated(const CtlProblem *problem);
/* Computes E1, E2 of a final state x, v: [d]. */
void ctl_errors(const CtlProblem *problem, const double *x, const double *v, double errors[2]);
/* Index, from 0, of the quantile `part` in (0, 1] among n numbers in rising order. */
int ctl_quantile_rank(double part, int n);

/* What to evaluate at a point: the motion, and whether derivatives are included. An evaluator without the motions of
 * control/motion.h (user-defined objectives, for example) returns the same outcome for every motion; searches use other
 * motions only for starts. */
typedef struct CtlWant {
  /* A CtlMotion; 0: the problem's own. CTL_MOTION_NOMINAL is added if derivatives of the nominal motion may replace
   * those of the scenarios. */
  int motion;
  bool derivatives;
  /* Segments of the signal, a divisor of S; only the first p * segments variables of the point count; 0: S. */
  int segments;
} CtlWant;

static inline bool ctl_want_is(CtlWant a, CtlWant b) {
  return a.motion == b.motion && a.derivatives == b.derivatives && a.segments == b.segments;
}

/* Whether the motion is not the problem's own. Such a point is a step towards an answer, never an answer. */
static inline bool ctl_want_is_other(CtlWant want) { return want.motion != 0 || want.segments != 0; }

/* Numbers per row of derivatives for n variables. */
static inline size_t ctl_row_size(int n) { return (size_t)n + 2; }

/* Outcome of an evaluation. The merit (P, Pi_K) is formed from outcomes at the end of a simplex, so that a
 * change of penalty parameters never costs a simulation. */
typedef struct CtlOutcome {
  const double *x; /* [d] x(T), or the user-defined values */
  const double *v; /* [d] x'(T); unused for user-defined values */
  /* [m][ctl_row_size of the point's n variables], a row for each of the m given entries of x_T, then of v_T, or for
   * each user-defined value. A row has n derivatives and two numbers for the velocity of a dof that sticks at T, 0 for
   * others: v' (T - t0), the velocity extrapolated from the deceleration v' before it came to rest at t0, and v'. The
   * derivatives are then those of the former. NULL: no derivatives. Non-finite entries: a failed evaluation. */
  const double *rows;
  long iterations;  /* iterations of the per-step solver */
  SimStatus status; /* unless SIM_OK, the point counts as +inf and is counted in the report */
} CtlOutcome;

/* The search. */
typedef struct CtlSearch CtlSearch;

/* Creates a search. problem: borrowed, outlives the search. *search: NULL unless SIM_OK. Returns SIM_OK, SIM_NO_MEMORY,
 * SIM_BAD_PROBLEM (ctl_problem_check reports why) or SIM_BAD_ARGUMENT. The latter includes a method that needs PETSc
 * (ctl_method_wants_petsc, except `auto` and `hybrid` with derivatives) before PETSc has been started. */
SimStatus ctl_search_create(const CtlProblem *problem, CtlSearch **search);
const CtlProblem *ctl_search_problem(const CtlSearch *search); /* borrowed */
void ctl_search_destroy(CtlSearch *search);

/* Whether the method must compute, perhaps for seconds, before it knows its next points; ctl_search_ask then returns
 * 0. Only methods for a statistic of scenarios do so. */
bool ctl_search_works(const CtlSearch *search);
/* Does one piece of that computation. Between two pieces the search may be saved; a loaded search continues there.
 * seconds and result: as for ctl_search_tell. */
bool ctl_search_work(CtlSearch *search, double seconds);

/* Hands out up to max points of the current simplex that are neither evaluated nor handed out: tickets[i],
 * controls[i][n], and in *want what to evaluate at all of them. Returns their number. 0: all others are out, the
 * search computes, or it has ended. */
int ctl_search_ask(CtlSearch *search, int max, long *tickets, double *controls, CtlWant *want);

/* Number of points of the current simplex that ctl_search_ask can still hand out. *want: what to evaluate at the
 * next of them, if any; want may be NULL. */
long ctl_search_unasked(const CtlSearch *search, CtlWant *want);

/* Whether the search still expects the outcome of this ticket. */
bool ctl_search_wants(const CtlSearch *search, long ticket);

/* Accepts the outcome of a ticket and copies it. Outcomes may come in any order; an unexpected one (a second outcome
 * of a ticket, for example) has no effect. seconds: wall clock since the start, used for max_seconds only. Returns
 * whether it completed a simplex; the search is then at the next one. */
bool ctl_search_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, double seconds);

/* Advances over one simplex all of whose points are known already. Returns whether there was one. Call it after each
 * tell or work that completed a simplex until it returns false. */
bool ctl_search_advance(CtlSearch *search);

/* State of a search after a simplex and at the end. Pointers are borrowed and valid until the next tell. */
typedef struct CtlState {
  CtlReason reason;
  long rounds;       /* completed: simplexes of pds; for local methods, rounds of one point of each */
  long evaluations;  /* points inside the bounds, cached ones included, except those cached by a local method itself */
  long ivps;         /* evaluations that were simulated */
  long cache_hits;   /* evaluations - ivps */
  long questions;    /* pattern queries (control/motion.h), which are neither evaluations nor simulations */
  long patterns;     /* patterns of stick and slip examined for them */
  long non_finite;   /* simulations that failed or gave a non-finite merit, except the next and those too long */
  long out_of_range; /* simulations that left the range of a law (SIM_OUT_OF_RANGE); they count as +inf, too */
  long timed_out;    /* simulations, among non_finite ones, that their driver gave up: SIM_NOT_FINISHED */
  long too_long;     /* simulations that exceeded their work limit (SIM_TOO_LONG); they count as +inf, too */
  long restarts;
  long starts;        /* runs of `auto` from different starts; 0 for other methods */
  long reached;       /* runs among these that led to the best J within 1e-6 of it */
  bool no_memory;     /* the search ended because a restart, a local method or hybrid's second part found no memory */
  long method_errors; /* local methods that ended with an error of their library or were abandoned in it */
  long iterations;    /* iterations of the per-step solver, all simulations */
  double seconds;     /* time of the latest tell, including the runs before a resume */
  double best;        /* merit of the best point; +inf if none is finite */
  double J;           /* cost of the best point, or f of user-defined values; +inf if unknown or not finite */
  double E1;        /* (4.1); 0 without a target position. User-defined values: largest miss divided by its tolerance */
  double E2;        /* (4.2); 0 without a target velocity */
  double edge;      /* longest edge of the simplex; for a local stage its first step, 0 once the method has ended */
  double rho[3];    /* rho1, rho2, rho3 */
  long scheme_size; /* s at present (a restart widens it) */
  const double *control; /* [n] best point */
  const double *x;       /* [d] x(T) of the best point, or its values */
  const double *v;       /* [d] x'(T) of the best point */
} CtlState;
void ctl_search_state(const CtlSearch *search, CtlState *state);
/* Whether E1 and E2 are within the problem's accept. */
bool ctl_state_meets(const CtlProblem *problem, const CtlState *state);

/* Serialised state of a search, its size first: the known points and the outcomes so far of the current simplex. It
 * may be saved at any time; points that are out are handed out again after loading. The bytes depend on the
 * machine's byte order and name their format, their method and the sources of the build. */
size_t ctl_search_saved_size(const CtlSearch *search);
void ctl_search_save(const CtlSearch *search, void *bytes); /* [ctl_search_saved_size] */

/* Creates a search from saved bytes that continues bit for bit as the saved one. The problem must be the same
 * (borrowed, outlives the search). Safe against any bytes. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM for
 * bytes that are not a saved search of this format, method and build; report (may be NULL) gets the reason as
 * "search". *search is NULL unless SIM_OK. The seconds of later tells are added to those of the saved search. */
SimStatus ctl_search_load(const CtlProblem *problem, const void *bytes, size_t size, const SimReport *report,
                          CtlSearch **search);

/* 16 hexadecimal digits of a hash of all sources and build files of sim/ and control/ and of the compiler and its
 * options. Builds with different hashes may give different answers. */
const char *ctl_source_hash(void);

SIM_API_END

#endif
