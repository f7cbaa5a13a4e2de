/* SPDX-License-Identifier: BSD-2-Clause */
/* The struct CtlProblem, the tables of its keys in problem files, and functions for the struct. This header is a part
 * of control/internal.h. */
#ifndef CONTROL_PROBLEM_H
#define CONTROL_PROBLEM_H

#include "control/control.h"
#include "sim/internal.h"
#include "sim/parameter.h"

typedef enum CtlPenaltyKind { CTL_PENALTY_P, CTL_PENALTY_PI } CtlPenaltyKind;
typedef enum CtlNorm { CTL_NORM_1, CTL_NORM_2, CTL_NORM_INF } CtlNorm;
typedef enum CtlRhoUpdate { CTL_RHO_CONSTANT, CTL_RHO_DYNAMIC } CtlRhoUpdate;
/* Refinement of the answer after the search by control/refine.h. The caller of the search carries it out; the search
 * only stores the choice. */
typedef enum CtlRefinement { CTL_REFINE_EXACT, CTL_REFINE_GRID, CTL_REFINE_NONE } CtlRefinement;
/* Lower bound on J over all controls (control/bound.h). auto: it is computed if it costs less than the search. given:
 * it is computed down to a given gap. */
typedef enum CtlBoundChoice { CTL_BOUND_AUTO, CTL_BOUND_GIVEN, CTL_BOUND_YES, CTL_BOUND_NO } CtlBoundChoice;
/* Statistic over the scenarios that a search minimises, of the errors of the target E1 + E2. */
typedef enum CtlStatistic {
  CTL_NOMINAL, /* one motion, no statistic */
  CTL_MEAN,    /* mean */
  CTL_WORST,   /* maximum */
  CTL_QUANTILE /* quantile: the smallest value that the errors of at least a given fraction of the scenarios do not
                * exceed */
} CtlStatistic;
/* How `sqp` may change a variable in a step, for user-defined values. */
typedef enum CtlStepRule {
  CTL_STEP_ANY,
  CTL_STEP_PART, /* the step is at most a fifth of the variable's value */
  /* the variable falls by at most three tenths of its value plus a tenth of its size, since other variables may have no
   * effect when it is 0 */
  CTL_STEP_SHRINK,
  CTL_STEP_SIDE /* the variable keeps its sign, and 0 stays 0 */
} CtlStepRule;
typedef enum CtlSimplexKind { CTL_SIMPLEX_RIGHT, CTL_SIMPLEX_REGULAR, CTL_SIMPLEX_USER } CtlSimplexKind;

enum {
  CTL_SCHEME_PAPER = 1744,        /* 8 nodes of 218 points each; this number follows from the paper's counts of
                                   * simulations (IVPs) */
  CTL_SCHEME_MAX = 1 << 20,       /* maximum number of points of a simplex */
  CTL_CONTROLS_MAX = 4096,        /* maximum number of search variables */
  CTL_VALUES_MAX = 32768,         /* maximum number of user-defined values of a point */
  CTL_SIMPLEX_CONTROLS_MAX = 64,  /* maximum number of search variables of methods with simplexes */
  CTL_SMOOTH_CONTROLS_MAX = 1024, /* maximum number of search variables of sqp for user-defined values */
  CTL_SCENARIOS_MAX = 256,        /* maximum number of scenarios, that is of motions per point */
  CTL_STARTS_MAX = 4096           /* maximum number of local methods that run side by side */
};
#define CTL_RHO_MAX 1e6 /* upper limit of rho in (3.2) and (3.3) */

/* The control problem. It owns its arrays, in one block: ctl_problem_init allocates it, ctl_problem_clear frees it. */
struct CtlProblem {
  /* motion that stiction_solve simulates, set by stiction_control_create; borrowed; otherwise NULL */
  const SimProblem *motion;
  CtlFunction function; /* function set by stiction_control_create_values; otherwise zeros */
  struct CtlPlan *plan; /* plan to which this search problem belongs, set by ctl_plan_problem; borrowed; NULL: none */
  int n;                /* number of search variables, p S */
  int d;                /* degrees of freedom of the model */
  int p;                /* number of entries of u; each has S segments in time (sim/signal.h) */
  SimSignal signal;
  int segments; /* S */
  double end;   /* T in s */

  /* [d] roles of user-defined values; NULL (default): a motion. With roles, an evaluation returns d values in place
   * of x(T). f, the sum of the objectives, of the squared residuals and of the magnitudes, takes the place of J.
   * `position` has the constraints' targets and `position_scale` their tolerances, NAN for other roles. E1 is the
   * largest miss divided by its tolerance; E2 is 0. */
  CtlRole *roles;

  double *weight; /* [p][p] weight N of the effort J, the integral of u'N u; symmetric positive semi-definite; default
                   * identity; unused with roles */
  double *start;  /* [n] initial control u, the first vertex of a simplex, in N; default 0 */
  /* [S][d] directions of slip of each joint in each segment, -1, 0 (sticks) or 1. `auto` also starts from this
   * pattern if the problem has patterns. NULL (default): none. */
  signed char *start_ways;
  /* [n] lower bound of u, in N; default -INFINITY. PDS assigns +inf to points out of bounds without simulation. Local
   * methods move points inside (control/problem/bounds.h); they know lower and upper, but not rate. */
  double *lower;
  double *upper; /* [n] upper bound of u, in N; default INFINITY */
  /* [n] size of each variable, > 0; default 1. With roles `sqp` changes a variable by at most about `step` sizes at
   * first, and its accuracy is relative to it; unused otherwise. */
  double *size;
  /* [n] rules for the steps of `sqp`, with roles; NULL (default): CTL_STEP_ANY for all; owned, from malloc */
  CtlStepRule *rules;
  /* [start_count][n] further starts of `sqp` within the bounds, with roles; NULL (default): none; owned, from malloc */
  double *starts;
  int start_count;
  double *rate;           /* [p] limit of |u_k - u_{k-1}| S/T, N/s; default INFINITY; unused for a constant control */
  double *position;       /* [d] x_T in m; NAN: free (default) */
  double *velocity;       /* [d] v_T in m/s; NAN: free (default) */
  double *position_scale; /* [d] divisor of the misses of x_T in E1, in m; NAN (default): the size of x_T */
  double *velocity_scale; /* [d] divisor of the misses of v_T in E2, in m/s; NAN (default): the size of v_T */
  /* h > 0 in m: x_T is a function of the position along a string, sampled at spacing h. Norms are then sqrt(h sum r^2)
   * and h sum |r|, with one scale for all entries; E1 uses the former. 0 (default): a vector; E1 uses its largest
   * entry. */
  double position_spacing;
  double velocity_spacing; /* the same spacing of v_T, in m, which E2 uses; 0 (default): a vector */

  /* With scenarios, the final states of all motions are concatenated: d and the targets count all of them. The
   * statistic of E1 + E2 replaces the misses in P and Pi_K; the statistics of E1 and E2 replace E1 and E2. The
   * search ends when it is small. */
  int scenarios;          /* 0 (default): one motion and no statistic */
  CtlStatistic statistic; /* default nominal */
  double quantile;        /* fraction of the scenarios for the quantile, in (0, 1) */
  double
      effort_at_most; /* limit of J with a statistic; points above it count as out of bounds; 0 (default): no limit */

  int method;             /* index of the search method, from ctl_method_find; default 0, pds */
  CtlPenaltyKind penalty; /* default P */
  CtlNorm norm;           /* norm of P; default 2 */
  double rho;             /* initial value of the penalty parameters rho1, rho2, rho3; 0 (default): 1e6, or 1e5 if they
                           * are updated */
  CtlRhoUpdate rho_update;

  long scheme_size; /* number s of points per simplex; 0 (default): auto, max(3n, 64) */
  CtlSimplexKind simplex;
  double step; /* edge h of the first simplex, in N for a control; default 1 */
  /* [n][n] user simplex: row j = v_{j+1} - v_0; used with CTL_SIMPLEX_USER. NULL if n > CTL_SIMPLEX_CONTROLS_MAX. */
  double *edges;

  double tolerance; /* the search ends if the longest edge is below this; default 1e-10 */
  /* the search ends if max_i ||v_i - v_0|| / max(1, ||v_0||) is below this; 0 (default): unused */
  double relative_tolerance;
  double accept; /* largest errors E1 and E2 of the target with which the search counts as successful; default 1e-6;
                  * with roles 1 */
  /* The search stops early at E1, E2 <= stop_at; 0 (default): unused. With roles it stops at f <= stop_at if the
   * constraints are met; default -INFINITY. */
  double stop_at;
  long max_evaluations; /* maximum number of evaluations; 0 (default): no limit */
  long max_simplexes;   /* maximum number of rounds; 0 (default): no limit */
  double max_seconds;   /* time limit of the search, in s; 0 (default): no limit */
  /* time limit of an evaluation, in s, which drivers enforce, since the search has no clock; 0 (default): none */
  double evaluation_timeout;
  int restarts; /* maximum number of restarts after stalls; default 2 */
  /* time in s: a dof that stops earlier or later than T by at most this time counts as stopping at T. For a scheme with
   * steps it is the step; default 0 */
  double resolution;
  CtlRefinement refine; /* default exact */
  bool derivatives; /* whether the evaluator supplies derivatives of the final state, or of the values; default false */
  /* With roles and derivatives: whether n further rows of CtlOutcome.rows contain a positive semi-definite matrix
   * [n][n], the Hessian of the objectives or its Gauss-Newton approximation; default false. */
  bool curvature;
  bool levels;   /* whether the evaluator accepts points with fewer segments (CtlWant.segments); default false */
  bool patterns; /* whether the evaluator answers pattern queries (control/motion.h); default false */
  /* schemes that have derivatives for this model, for messages, as in "moreau, event"; default "" */
  char derivative_schemes[64];
  /* Whether the set of controls that meet the target is known to be convex (ctl_targets_are_convex), so that there is
   * one local minimum; default false. */
  bool convex;
  int local_starts;       /* number of initial points, 1..CTL_STARTS_MAX; 0 (default): the method chooses it; the method
                           * hybrid has 2 */
  bool certify;           /* whether to prove that the answer has least effort; the caller does so; default false */
  double certify_gap;     /* gap of that proof as a fraction of J, in (0, 1); default 0.01 */
  double certify_seconds; /* time limit of that proof, in s; 0: no limit; default an hour */
  CtlBoundChoice bound;   /* whether to compute a lower bound over all controls; the caller does so; default auto */
  double bound_gap;       /* gap of that bound as a fraction of J, in (0, 1), with CTL_BOUND_GIVEN; default 0.02 */
  double bound_seconds;   /* time limit of that bound, in s; 0: no limit; default a minute */
};

/* Returns the method that solves the problem. It is problem->method, but hybrid in place of `auto` if there are no
 * derivatives. */
int ctl_problem_method(const CtlProblem *problem);
/* Whether that method uses derivatives. */
bool ctl_problem_wants_derivatives(const CtlProblem *problem);
/* Whether that method relies on derivatives only, so that its answer is as exact as they are. */
bool ctl_problem_needs_derivatives(const CtlProblem *problem);
/* Whether that method, or a part of it, calls a library, which may take up to 20 s to return (control/local). */
bool ctl_problem_calls_library(const CtlProblem *problem);

/* Tables of the keys of the sections search, certify and bound of a problem file, of which CtlProblem stores the
 * values. */
extern const SimParameter ctl_search_parameters[], ctl_certify_parameters[], ctl_bound_parameters[];
extern const SimParameter ctl_values_search_parameters[]; /* keys of section search for a problem with roles */
/* Keys of the sections control.bounds and control.target. */
extern const SimParameter ctl_limit_parameters[], ctl_target_parameters[];

/* Initialises a problem with a constant control of n entries. SIM_OK, SIM_NO_MEMORY or SIM_BAD_ARGUMENT. */
SimStatus ctl_problem_init(CtlProblem *problem, int n, int d);
/* Initialises a problem with a time-varying control. */
SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d);
/* Initialises a problem with a user-defined objective: n variables, m values per point, no bounds. All values are
 * objectives until stiction_control_set_role changes them. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_ARGUMENT, for example if n
 * is not in 1..CTL_CONTROLS_MAX or m not in 1..CTL_VALUES_MAX. */
SimStatus ctl_problem_init_values(CtlProblem *problem, int n, int m);
void ctl_problem_clear(CtlProblem *problem);
/* Sets the fields that depend on the motion that the problem steers: the resolution of its instants, whether and by
 * which schemes it has derivatives, whether searches may use fewer segments and patterns. */
void ctl_problem_note_motion(CtlProblem *problem, const SimProblem *motion);
/* Determines which entries of the targets are given: of x_T, then of v_T, [2][count] for the rows of this rank. */
void ctl_given_entries(const SimProblem *motion, const CtlProblem *problem, bool *given);
/* Whether the target velocity is 0 all along a string. */
bool ctl_given_rest(const CtlProblem *problem);
/* Returns the value that `auto` stands for in scheme_size: max(3n, 64). */
long ctl_scheme_auto(int n);
/* Returns the number of points per simplex, with `auto` resolved. */
long ctl_problem_scheme_size(const CtlProblem *problem);
/* Returns rho, with its default resolved. */
double ctl_problem_rho(const CtlProblem *problem);

/* Copies a problem without roles, with its signal in `segments` segments and its targets repeated for `motions`
 * motions. With another number of segments all of them have the bounds of the first, and the start is 0 within
 * these. The copy has no start_ways, levels or patterns. SIM_OK, SIM_NO_MEMORY or SIM_BAD_ARGUMENT; then *copy is
 * unchanged. */
SimStatus ctl_problem_copy(const CtlProblem *problem, int segments, int motions, CtlProblem *copy);
/* Copies the problem of one motion to a problem of `scenarios` motions and their statistic. Returns the same
 * statuses. */
SimStatus ctl_problem_stack(const CtlProblem *one, int scenarios, CtlProblem *stacked);

/* J(u) = int_0^T N u.u dt, exactly. With h = T/S it is the sum over segments of h u_k'N u_k, or for piecewise linear
 * controls of h (u_{k-1}'N u_{k-1} + u_{k-1}'N u_k + u_k'N u_k)/3. control: [n]. */
double ctl_cost(const CtlProblem *problem, const double *control);
/* The same cost for segments of unequal lengths. starts: [S + 1] s, t_0 .. t_S. */
double ctl_cost_between(const CtlProblem *problem, const double *starts, const double *control);

/* ||(y - target)/scale|| over the given (not NAN) entries of target; 0 if there are none. It is E1 of (4.1) for the
 * position and E2 of (4.2) for the velocity. y, target, scale: [d]; a NAN scale stands for max(1, ||target||), as in
 * the papers. The norm is the largest entry, or sqrt(spacing sum r^2) if spacing > 0, which requires equal entries
 * of scale. */
double ctl_target_error(int d, const double *y, const double *target, const double *scale, double spacing);
/* Returns the number of entries of x_T and v_T with a target, except entries of functions along a string, which least
 * squares combine to a few. */
int ctl_targets_alone(const CtlProblem *problem);
/* Whether there are fewer forces than degrees of freedom. Waves then move the other dofs, and the timing of u
 * matters. */
bool ctl_problem_is_underactuated(const CtlProblem *problem);
/* Computes E1, E2 of a final state x, v: [d]. */
void ctl_errors(const CtlProblem *problem, const double *x, const double *v, double errors[2]);
/* Returns the index, from 0, of the quantile `part` in (0, 1) among n numbers in rising order. */
int ctl_quantile_rank(double part, int n);

#endif
