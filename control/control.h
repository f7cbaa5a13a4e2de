/* stiction's control library: steer a friction system to a target with the least effort,
 *
 *     min J(u) = int_0^T N u.u dt   subject to   x(T) = x_T,  x'(T) = v_T        Glowinski-Kearsley (2.4)-(2.6)
 *
 * by a penalty function (P or Pi_K) and a parallel direct search, or local methods, or both. In place of a motion a search may
 * have an objective and constraints of one's own: ctl_problem_init_values. A CtlSearch is a pure state
 * machine: it says which points it wants (ask) and takes their outcomes in any order (tell); it knows neither MPI nor
 * physics nor a clock. Drivers (evaluator.h) connect it to whoever simulates.
 *
 * Arguments are checked as those of sim/sim.h, in all headers of this folder: nothing prints, none ends the process. What cannot be is
 * SIM_BAD_ARGUMENT, of a drive CTL_DRIVE_BAD_ARGUMENT (sim_status_text(SIM_BAD_ARGUMENT) tells function and argument); of a function with
 * neither it does nothing, and gives 0, NULL or an evaluator that no drive takes. Several threads may call at once, each with a search, a problem and
 * an evaluator of its own; methods of PETSc's, and pools, of MPI, belong to one thread at a time in the whole process. */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include "sim/parameter.h"
#include "sim/sim.h"

SIM_API_BEGIN

/* The search methods, numbered from 0 as they stand in one list (control/search/methods.c); problem files, results and
 * saved searches have their names. What each is for: control/README.md; hybrid: control/search/README.md. Local methods
 * (nlopt:*, tao:*) have the first step `step`, start at `start`, and, after a stall, again at the best point with a quarter
 * of the step; they end when their own step is below `tolerance`. A failed evaluation is to them a target missed by 1e6; of
 * values of one's own, values of 1e6, or of twice the largest met so far.
 * One whose library does not come back in 20 s of processor time is left, and so is its thread; the search begins none
 * after that. */
int ctl_method_find(const char *name);     /* "nlopt:cobyla", in any case; -1: there is none */
const char *ctl_method_name(int method);   /* NULL beyond the last */
const char *ctl_method_about(int method);  /* one sentence */
bool ctl_method_wants_petsc(int method);   /* PETSc must have been started: sim_petsc_start (sim/group.h) */
bool ctl_method_of_scenarios(int method);  /* for a statistic of scenarios alone */
bool ctl_method_fixes_penalty(int method); /* constraints are to it a penalty, whose parameters stay as at the start */
bool ctl_method_has_simplexes(int method); /* its rounds are simplexes of scheme_size points */
const char *ctl_method_round(int method, bool several); /* what a round of an existing method, or several, are called */

/* Whether a local method has been left in this process, its thread with it: that may hold a lock of malloc's arena for ever,
 * so no more may be freed than the caller has allocated (not by PetscFinalize, say) before the process ends by _exit. Left
 * in PETSc, whose state is the whole process's, it keeps other searches from PETSc's methods: those go on in a new process. */
bool ctl_thread_left(void);

typedef enum CtlPenaltyKind { CTL_PENALTY_P, CTL_PENALTY_PI } CtlPenaltyKind;
typedef enum CtlNorm { CTL_NORM_1, CTL_NORM_2, CTL_NORM_INF } CtlNorm;
typedef enum CtlRhoUpdate { CTL_RHO_CONSTANT, CTL_RHO_DYNAMIC } CtlRhoUpdate;
/* Whether the answer is refined after the search, by control/refine.h: for whoever runs it; the search itself does not. */
typedef enum CtlRefinement { CTL_REFINE_EXACT, CTL_REFINE_GRID, CTL_REFINE_NONE } CtlRefinement;
/* Whether it is reported how much cheaper any control could be (control/bound.h): auto: where that takes less work than the search; given: to
 * a gap. */
typedef enum CtlBoundChoice { CTL_BOUND_AUTO, CTL_BOUND_GIVEN, CTL_BOUND_YES, CTL_BOUND_NO } CtlBoundChoice;
/* What a search is to make small of many motions, one of each scenario. */
typedef enum CtlStatistic {
  CTL_NOMINAL, /* there is one motion */
  CTL_MEAN,    /* the mean of their misses E1 + E2 */
  CTL_WORST,   /* the largest */
  CTL_QUANTILE /* the least that so many of them do not exceed */
} CtlStatistic;
/* What a value of one's own is for: ctl_problem_init_values. */
typedef enum CtlRole {
  CTL_ROLE_OBJECTIVE, /* it is to be small */
  CTL_ROLE_RESIDUAL,  /* its square is */
  CTL_ROLE_EQUAL,     /* it is to equal its target, to its tolerance; this and the next are constraints */
  CTL_ROLE_AT_MOST,   /* it is to be at most its target, likewise */
  CTL_ROLE_AT_LEAST
} CtlRole;
typedef enum CtlSimplexKind { CTL_SIMPLEX_RIGHT, CTL_SIMPLEX_REGULAR, CTL_SIMPLEX_USER } CtlSimplexKind;

enum {
  CTL_SCHEME_PAPER = 1744,       /* 8 nodes of 218 points: what the paper's counts of IVPs imply */
  CTL_SCHEME_MAX = 1 << 20,      /* points of a simplex at most */
  CTL_CONTROLS_MAX = 4096,       /* search variables at most */
  CTL_SIMPLEX_CONTROLS_MAX = 64, /* of methods that have simplexes */
  CTL_SCENARIOS_MAX = 256,       /* motions of one point at most */
  CTL_STARTS_MAX = 4096          /* local methods side by side at most */
};
#define CTL_RHO_MAX 1e6 /* the cap of (3.2), (3.3) */

/* Why a search is over. */
typedef enum CtlReason {
  CTL_RUNNING,
  CTL_REASON_TOLERANCE, /* edge (or relative size) below tolerance and target met to `accept` */
  CTL_REASON_STOP_AT,   /* E1 and E2 at or below stop_at */
  CTL_REASON_BUDGET,    /* evaluations, simplexes or seconds used up; of a local method, also its 100000 points, or the
                         * memory for those that it knows (256 MiB, or 512 points: long strings) */
  CTL_REASON_STALL,     /* edge below tolerance, target not met, no restart left */
  CTL_REASON_FAILED,    /* no finite value was found */
  CTL_REASON_TOO_LONG, /* too many simulations have taken more work than they may: all of the first 8, or more than 64 */
  CTL_REASON_SIGNAL    /* not over, but interrupted: what its driver says of a search it has left off, never a search */
} CtlReason;
const char *ctl_reason_text(CtlReason reason); /* as in summary.json */

/* The control problem. The arrays belong to it, one block: ctl_problem_init allocates it, ctl_problem_clear frees it. */
typedef struct CtlProblem {
  int n; /* search variables, p S */
  int d; /* degrees of freedom of the model */
  int p; /* entries of u, S segments of it in time: sim/signal.h */
  SimSignal signal;
  int segments;
  double end; /* T, s */

  /* Of an objective of one's own there is no motion: an evaluation tells d values, which stand where x(T) stands. f, the sum
   * of the objectives and of the squares of the residuals, is J. The constraints' targets are in position, their tolerances in
   * position_scale; NAN for the others. E1 is the largest miss of a constraint in its tolerance, E2 is 0. NULL: a motion. */
  CtlRole *roles; /* [d] */

  double *weight; /* [p][p] N, symmetric positive semi-definite; default identity; none with roles */
  double *start;  /* [n] u at the first vertex, N; default 0 */
  signed char *
      start_ways; /* [S][d] which way each joint slips in each segment, -1, 0: it sticks, 1: the pattern of such a motion is a start of `auto`, too,
                            * where there are patterns; NULL (default): none is known */
  double *lower;  /* [n] N; default -INFINITY. PDS gives a point out of bounds +inf unsimulated; local methods, which
                     * know of lower and upper but not of rate, have theirs moved inside (control/problem/bounds.h) */
  double *upper;  /* [n] N; default INFINITY */
  double *rate;   /* [p] N/s: |u_k - u_{k-1}| S/T at most; default INFINITY; a constant has none */
  double *position;       /* [d] x_T, m; NAN where free (default) */
  double *velocity;       /* [d] v_T, m/s; NAN where free (default) */
  double *position_scale; /* [d] m: what a miss of x_T is divided by in E1; NAN (default): by the size of x_T */
  double *velocity_scale; /* [d] m/s, likewise of v_T in E2 */
  /* h > 0, m: x_T is a function of the position along a string, its entries h apart: norms are of functions,
   * sqrt(h sum r^2) and h sum |r|, and E1 is of the former, by one scale for all. 0 (default): a vector, and E1 is of its
   * largest entry. */
  double position_spacing;
  double velocity_spacing; /* likewise, of v_T and E2 */

  /* With scenarios the ends of all their motions stand one behind the other: d and the targets are those of all. The statistic of their
   * E1 + E2 stands for the misses in P and Pi_K, those of E1 and of E2 for E1 and E2, and a search has come to its end when it is small. */
  int scenarios;          /* 0 (default): one motion, and no statistic */
  CtlStatistic statistic; /* default nominal */
  double quantile;        /* in (0, 1) */
  double effort_at_most;  /* of J, with a statistic: a point beyond counts as one out of bounds; 0 (default): any */

  int method;             /* ctl_method_find; default 0, pds */
  CtlPenaltyKind penalty; /* default P */
  CtlNorm norm;           /* P's; default 2 */
  double rho;             /* starting value of rho1, rho2, rho3; 0 (default): 1e6, or 1e5 when dynamic */
  CtlRhoUpdate rho_update;

  long scheme_size; /* s, points per simplex; 0 (default) = auto: max(3n, 64) */
  CtlSimplexKind simplex;
  double step; /* h, edge of the first simplex; default 1 */
  double
      *edges; /* [n][n] user simplex: row j = v_{j+1} - v_0; used when simplex is CTL_SIMPLEX_USER. NULL where n is more
                  * than CTL_SIMPLEX_CONTROLS_MAX */

  double tolerance;          /* on the longest edge; default 1e-10 */
  double relative_tolerance; /* on max_i ||v_i - v_0|| / max(1, ||v_0||); 0 (default) = not used */
  double accept;             /* E1 and E2 for success; default 1e-6; with roles 1 */
  double stop_at;       /* stop early at E1, E2 <= stop_at; 0 (default) = not used. With roles: at f <= stop_at where
                              * the constraints are met; default -INFINITY */
  long max_evaluations; /* 0 (default) = no limit; likewise the next two */
  long max_simplexes;
  double max_seconds;
  double evaluation_timeout; /* s; 0 (default) = none. For drivers: the search itself knows no time */
  int restarts;              /* on stall; default 2 */
  double resolution;         /* s: a dof that stops within so much of T stops at T: the step of a grid; default 0 */
  CtlRefinement refine;      /* default exact */
  bool derivatives;          /* of motions' ends are to be had from whoever evaluates; default: no */
  bool levels;               /* points of fewer segments are evaluated, too (CtlWant.segments); default: no */
  bool
      patterns; /* questions about patterns of stick and slip are answered, too (control/motion.h), which are no points; default: no */
  char derivative_schemes[64]; /* for messages: the schemes by which they would be, "moreau, event"; default: none */
  bool
      convex; /* the controls that meet the target are a convex set (ctl_targets_are_convex): one local minimum; default: no */
  int local_starts;       /* 1..CTL_STARTS_MAX; 0 (default): as the method chooses, hybrid 2 */
  bool certify;           /* whether the answer is proven to be a least effort: for whoever runs it; default: no */
  double certify_gap;     /* in (0, 1): to this part of J; default 0.01 */
  double certify_seconds; /* s, at most; 0: no limit; default an hour */
  CtlBoundChoice bound;   /* of any control whatever: likewise; default auto */
  double bound_gap;       /* in (0, 1): as near to J as this part of it, where it is given; default 0.02 */
  double bound_seconds;   /* s; 0: no limit; default a minute */
} CtlProblem;

/* The method that serves the problem: its own, but for `auto` hybrid where there are no derivatives. */
int ctl_problem_method(const CtlProblem *problem);
/* Whether that wants derivatives; whether it has nothing but them to go by, so that its answer is as refined as they are. */
bool ctl_problem_wants_derivatives(const CtlProblem *problem);
bool ctl_problem_needs_derivatives(const CtlProblem *problem);
/* Whether it, or a part of it, is a method of a library, which may not come back for 20 s (control/local). */
bool ctl_problem_calls_library(const CtlProblem *problem);

/* The keys of a problem file's section `search` that a CtlProblem keeps, with their defaults and ranges. */
extern const SimParameter ctl_search_parameters[], ctl_certify_parameters[],
    ctl_bound_parameters[];                               /* the latter two: its sections certify and bound */
extern const SimParameter ctl_values_search_parameters[]; /* those of a problem with roles */

/* A constant control of n entries; one that varies in time. */
SimStatus ctl_problem_init(CtlProblem *problem, int n, int d);
SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d);
/* An objective of one's own: n variables, m values of each point, all of them objectives until ctl_problem_set_value tells
 * otherwise; no bounds. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_ARGUMENT: n or m is not in 1..CTL_CONTROLS_MAX, say. */
SimStatus ctl_problem_init_values(CtlProblem *problem, int n, int m);
/* What value i, 0 <= i < m, is for. target, tolerance > 0: of a constraint, of others nothing; a tolerance of 0 stands for
 * 1e-6 max(1, |target|). SIM_OK or SIM_BAD_ARGUMENT: there is no such value, say, or the problem is not of values. Numbers are looked at by
 * ctl_problem_check. */
SimStatus ctl_problem_set_value(CtlProblem *problem, int i, CtlRole role, double target, double tolerance);
void ctl_problem_clear(CtlProblem *problem);
/* Tells each mistake by its key ("search.scheme_size", ...): sizes, ranges, a weight that is not symmetric
 * PSD, a degenerate user simplex (rank by pivoted QR), a start outside the bounds, no target at all, s < 2n,
 * a budget smaller than one simplex. SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY. */
SimStatus ctl_problem_check(const CtlProblem *problem, const SimReport *report);
/* What `auto` stands for: max(3n, 64). */
long ctl_scheme_auto(int n);
/* s with `auto` resolved. */
long ctl_problem_scheme_size(const CtlProblem *problem);
/* rho with its default resolved. */
double ctl_problem_rho(const CtlProblem *problem);

/* The problem of so many scenarios of one motion's, with its statistic; to be cleared. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_problem_stack(const CtlProblem *one, int scenarios, CtlProblem *stacked);

/* J(u) = int_0^T N u.u dt, exactly: with h = T/S the sum of h u_k'N u_k, or, of linear pieces, of
 * h (u_{k-1}'N u_{k-1} + u_{k-1}'N u_k + u_k'N u_k)/3. control: [n]. */
double ctl_cost(const CtlProblem *problem, const double *control);

/* ||(y - target)/scale|| over the given entries, 0 when there are none: E1 of (4.1) for the position, E2 of (4.2) for the
 * velocity. y, target, scale: [d]; a scale that is NAN is max(1, ||target||), the papers'. The norm is the largest entry, or
 * sqrt(spacing sum r^2) where the spacing is > 0; all entries of scale are then the same. */
double ctl_target_error(int d, const double *y, const double *target, const double *scale, double spacing);
/* Entries of x_T and v_T that are given, but those of a function along a string: least squares make these few. */
int ctl_targets_alone(const CtlProblem *problem);
/* Whether fewer forces act than there are degrees of freedom: waves move the others, and the instants of u count. */
bool ctl_problem_is_underactuated(const CtlProblem *problem);
/* E1, E2 of a final state x, v: [d]. */
void ctl_errors(const CtlProblem *problem, const double *x, const double *v, double errors[2]);
/* Of n numbers in rising order the one, from 0, that is the least which a part of them in (0, 1] do not exceed. */
int ctl_quantile_rank(double part, int n);

/* What is wanted of a point: where which motion ends, and whether with derivatives. Who evaluates with no motions of control/motion.h, an
 * objective of one's own say, gives every motion the same answer; a search only starts from others. */
typedef struct CtlWant {
  int motion; /* a CtlMotion, CTL_MOTION_NOMINAL added where derivatives of scenarios may be those of the nominal motion; 0: as the problem says */
  bool derivatives;
  int segments; /* of the signal, a divisor of the problem's S: then only the first p times so many of the point's variables count; 0: S */
} CtlWant;

static inline bool ctl_want_is(CtlWant a, CtlWant b) {
  return a.motion == b.motion && a.derivatives == b.derivatives && a.segments == b.segments;
}

/* Whether its motion is not the problem's own: then it is but a way to an answer, and none itself. */
static inline bool ctl_want_is_other(CtlWant want) { return want.motion != 0 || want.segments != 0; }

/* Numbers of a row of derivatives with regard to n variables. */
static inline size_t ctl_row_size(int n) { return (size_t)n + 2; }

/* What an evaluation tells. The merit (P, Pi_K) is formed from these at the end of a simplex, so that a
 * change of penalty parameters never costs a simulation. */
typedef struct CtlOutcome {
  const double *x; /* [d] x(T); or values of one's own */
  const double *v; /* [d] x'(T); of such values nothing */
  /* [m][ctl_row_size of the point's variables], of each of the m given entries of x_T, then of v_T: its n derivatives. And then, of the velocity of a dof that
   * has come to rest and sticks at T, what it would be by its deceleration before, v' (T - when it came to rest), in whose place
   * the derivatives stand then, and v'; 0 of all others. NULL: without derivatives. Entries that are not finite: a failed
   * evaluation. */
  const double *rows;
  long iterations;  /* of the per-step solver */
  SimStatus status; /* other than SIM_OK: the point counts as +inf, and is counted in the report */
} CtlOutcome;

/* The search. */
typedef struct CtlSearch CtlSearch;

/* problem: borrowed, outlives the search. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: ctl_problem_check tells why; SIM_BAD_ARGUMENT, too, where
 * its method wants PETSc (ctl_method_wants_petsc; not for `auto` and `hybrid` with derivatives), which has not been started. *search: NULL unless SIM_OK. */
SimStatus ctl_search_create(const CtlProblem *problem, CtlSearch **search);
const CtlProblem *ctl_search_problem(const CtlSearch *search); /* its problem */
void ctl_search_destroy(CtlSearch *search);

/* Whether a method has something to work out, which may take seconds, before the search knows its next points; ask gives none then. Each
 * call of ctl_search_work does a piece of that: between two the search may be saved, and loaded it goes on there. seconds, and what it
 * returns: as of ctl_search_tell. Methods with a statistic of scenarios alone have any. */
bool ctl_search_works(const CtlSearch *search);
bool ctl_search_work(CtlSearch *search, double seconds);

/* Up to max points that the current simplex still wants and nobody holds: tickets[i] and controls[i][n], and what is wanted of
 * all of them. Returns how many; 0 while the rest is out or the search works, or when it has ended. */
int ctl_search_ask(CtlSearch *search, int max, long *tickets, double *controls, CtlWant *want);

/* How many points of the current simplex ask still has to give; what is wanted of the next of them, if there is one (want may be
 * NULL). */
long ctl_search_unasked(const CtlSearch *search, CtlWant *want);

/* Whether a ticket's outcome is still to be told: false once it has been, and when its simplex is over. */
bool ctl_search_wants(const CtlSearch *search, long ticket);

/* The outcome of a ticket, copied; any order. One that is not wanted (ctl_search_wants), told a second time say, changes
 * nothing. seconds: wall clock since the start, for max_seconds
 * alone. Returns whether a simplex has ended with it: the search stands at the next one then. */
bool ctl_search_tell(CtlSearch *search, long ticket, const CtlOutcome *outcome, double seconds);

/* Moves on through one simplex all of whose points are known already. Returns whether there was one. To be called
 * after each tell or piece of work that has ended a simplex, until it returns false. */
bool ctl_search_advance(CtlSearch *search);

/* Where a search stands: after each simplex, and at the end. Pointers are borrowed, valid until the next
 * tell. */
typedef struct CtlState {
  CtlReason reason;
  long rounds;      /* done: simplexes of pds; of local methods, in each of which every one has one point */
  long evaluations; /* points looked at inside the bounds, cached ones included (but those a local method knows) */
  long ivps;        /* of these, simulated */
  long cache_hits;  /* evaluations - ivps */
  long questions;   /* about patterns (control/motion.h), which are neither evaluations nor simulations */
  long patterns;    /* patterns of stick and slip looked at for them */
  long non_finite;  /* simulations that failed or gave a non-finite merit, but for those that took too long */
  long timed_out;   /* of these, those that their driver gave up: SIM_NOT_FINISHED */
  long too_long;    /* simulations that took more work than they may: SIM_TOO_LONG; +inf, too */
  long restarts;
  long starts;        /* runs begun from different starts, of `auto`; 0: another method, which counts none */
  long reached;       /* of these, those whose answer is the best J, to 1e-6 of it, or what that came from */
  bool no_memory;     /* the search ended for want of memory: for a restart, hybrid's second part, or a local method */
  long method_errors; /* local methods that ended with an error of their library, or went round in it for ever */
  long iterations;    /* of the per-step solver, all simulations */
  double seconds;     /* the latest told, with those of the runs before a resume */
  double best;        /* merit of the best point; +inf when none is finite */
  double J;           /* its cost; f of values, +inf when it is not known or not finite */
  double E1, E2; /* (4.1), (4.2); 0 when there is no such target. Of values: the largest miss in its tolerance, and 0 */
  double edge;   /* longest edge of the simplex; of a local stage its first step, 0 when the method has ended */
  double rho[3]; /* rho1, rho2, rho3 */
  long scheme_size;      /* s now (a restart widens it) */
  const double *control; /* [n] */
  const double *x;       /* [d] x(T) of the best point, or its values */
  const double *v;       /* [d] */
} CtlState;
void ctl_search_state(const CtlSearch *search, CtlState *state);
/* Whether E1 and E2 are within the problem's accept. */
bool ctl_state_meets(const CtlProblem *problem, const CtlState *state);

/* The whole state of a search as bytes, its own size first: what it knows of the points it has met, and of the simplex
 * under way the outcomes told so far. At any time; what is asked and not told is asked again after loading. The bytes
 * are of this kind of machine (byte order), and name their format, their method, and the sources of the build. */
size_t ctl_search_saved_size(const CtlSearch *search);
void ctl_search_save(const CtlSearch *search, void *bytes); /* [ctl_search_saved_size] */

/* A search that stands where the saved one stood and goes on, bit for bit, as it would have. The problem must be the
 * saved one's (borrowed, outlives the search). Safe against any bytes: SIM_BAD_PROBLEM when they are no such state, or one of
 * another format, method, or build, which might answer differently; why is told to report (may be NULL), as "search".
 * SIM_NO_MEMORY, too; *search is NULL then. Seconds told later are added to those that the saved one had been told. */
SimStatus ctl_search_load(const CtlProblem *problem, const void *bytes, size_t size, const SimReport *report,
                          CtlSearch **search);

/* 16 hexadecimal digits of a hash of all sources and build files of sim/ and control/, and of the compiler and its options:
 * builds that differ in it may answer differently. */
const char *ctl_source_hash(void);

SIM_API_END

#endif
