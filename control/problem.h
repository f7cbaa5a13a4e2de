/* SPDX-License-Identifier: BSD-2-Clause */
/* The struct CtlProblem, the tables of its keys in problem files, and its functions. This header is a part of
 * control/internal.h. */
#ifndef CONTROL_PROBLEM_H
#define CONTROL_PROBLEM_H

#include "control/control.h"
#include "sim/internal.h"
#include "sim/parameter.h"

typedef enum CtlPenaltyKind { CTL_PENALTY_P, CTL_PENALTY_PI } CtlPenaltyKind;
typedef enum CtlNorm { CTL_NORM_1, CTL_NORM_2, CTL_NORM_INF } CtlNorm;
typedef enum CtlRhoUpdate { CTL_RHO_CONSTANT, CTL_RHO_DYNAMIC } CtlRhoUpdate;
/* Whether and how the best control is refined after the search (control/refine.h): EXACT for the motion in continuous
 * time, GRID for the motion of the problem's scheme. The caller of the search carries it out; the search only stores
 * the choice. */
typedef enum CtlRefinement { CTL_REFINE_EXACT, CTL_REFINE_GRID, CTL_REFINE_NONE } CtlRefinement;
/* Choice of the lower bound on J over all controls (control/bound.h). AUTO: the bound is computed if it costs less than
 * the search. GIVEN: it is computed until it reaches a given gap. */
typedef enum CtlBoundChoice { CTL_BOUND_AUTO, CTL_BOUND_GIVEN, CTL_BOUND_YES, CTL_BOUND_NO } CtlBoundChoice;
/* Statistic of E1 + E2, the errors of the final state, over the scenarios. A search minimises it. */
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
  CTL_STEP_PART, /* a step is at most a fifth of the variable's value */
  /* a step reduces the variable by at most three tenths of its value plus a tenth of its size, since other variables
   * may have no effect when it is 0 */
  CTL_STEP_SHRINK,
  CTL_STEP_SIDE /* the variable keeps its sign, and 0 stays 0 */
} CtlStepRule;
typedef enum CtlSimplexKind { CTL_SIMPLEX_RIGHT, CTL_SIMPLEX_REGULAR, CTL_SIMPLEX_USER } CtlSimplexKind;

enum {
  CTL_SCHEME_PAPER = 1744,        /* number of points of a simplex in the paper: 8 nodes of 218 points each; this number
                                   * follows from the paper's counts of simulations (IVPs) */
  CTL_SCHEME_MAX = 1 << 20,       /* maximum number of points of a simplex */
  CTL_CONTROLS_MAX = 4096,        /* maximum number of search variables */
  CTL_VALUES_MAX = 32768,         /* maximum number of user-defined values of a point */
  CTL_SIMPLEX_CONTROLS_MAX = 64,  /* maximum number of search variables of methods with simplexes */
  CTL_SMOOTH_CONTROLS_MAX = 1024, /* maximum number of search variables of sqp for user-defined values */
  CTL_SCENARIOS_MAX = 256,        /* maximum number of scenarios, that is of motions per point */
  CTL_STARTS_MAX = 4096           /* maximum number of local methods that run at the same time */
};
#define CTL_RHO_MAX 1e6 /* upper limit of the penalty parameters rho in (3.2) and (3.3) of Glowinski-Kearsley */

/* The control problem. It owns its arrays, in one allocation: ctl_problem_init allocates it, ctl_problem_clear frees
 * it. */
struct CtlProblem {
  /* motion that stiction_solve simulates, set by stiction_control_create; borrowed; NULL in other problems */
  const SimProblem *motion;
  CtlFunction function; /* function set by stiction_control_create_values; zeros in other problems */
  struct CtlPlan *plan; /* plan (control/plan.h) to which this search problem belongs, set by ctl_plan_problem;
                         * borrowed; NULL: none */
  int n;                /* number of search variables, p S */
  int d;                /* degrees of freedom of the model */
  int p;                /* number of entries of u; each has S segments in time (sim/signal.h) */
  SimSignal signal;
  int segments; /* number S of segments in time */
  double end;   /* final time T in s */

  /* [d] roles of user-defined values, e.g. objective or constraint; NULL (default): the problem steers a motion. A
   * problem "with roles" is one in which this member is not NULL. With roles, an evaluation returns d
   * values in place of x(T), and the effort J is replaced by f, the sum of the objectives, of the squared residuals and
   * of the magnitudes. `position` then has the constraints' targets and `position_scale` their tolerances, NAN for
   * other roles. E1 is the largest violation of a constraint divided by its tolerance; E2 is 0. */
  CtlRole *roles;

  double *weight; /* [p][p] weight N of the effort J, the integral of u'N u; symmetric positive semi-definite; default:
                   * identity; unused with roles */
  double *start;  /* [n] initial control u, the first vertex of a simplex, in N; default 0 */
  /* [S][d] directions of slip of each joint in each segment, -1, 0 (sticks) or 1. The method `auto` also starts from
   * this pattern if the evaluator answers pattern queries (field `patterns`). NULL (default): none. */
  signed char *start_ways;
  /* [n] lower bound of u, in N; default -INFINITY. PDS assigns +inf to points out of bounds without simulating them.
   * Local methods move points inside (control/problem/bounds.h); they know lower and upper, but not rate. */
  double *lower;
  double *upper; /* [n] upper bound of u, in N; default INFINITY */
  /* [n] size of each variable, > 0; default 1. With roles `sqp` changes a variable at first by at most about `step`
   * times its size, and its accuracy is relative to this size; unused without roles. */
  double *size;
  /* [n] rules for the steps of `sqp`, only for problems with `roles`; NULL (default): CTL_STEP_ANY for all; owned, from
   * malloc */
  CtlStepRule *rules;
  /* [start_count][n] initial points of `sqp` besides `start`, within the bounds, only for problems with `roles`; NULL
   * (default): none; owned, from malloc */
  double *starts;
  int start_count;
  double *rate;           /* [p] limit of |u_k - u_{k-1}| S/T, the rate of change between consecutive segments, N/s;
                           * default INFINITY; unused for a constant control */
  double *position;       /* [d] target x_T of the final position, in m; NAN: free (default) */
  double *velocity;       /* [d] target v_T of the final velocity, in m/s; NAN: free (default) */
  double *position_scale; /* [d] divisor of the distance from x_T in E1, in m; NAN (default): max(1, ||x_T||) */
  double *velocity_scale; /* [d] divisor of the distance from v_T in E2, in m/s; NAN (default): max(1, ||v_T||) */
  /* spacing h > 0 in m: x_T is a function of the position along a string, sampled at spacing h. Norms of the distance r
   * from it are then sqrt(h sum r^2), which E1 uses, and h sum |r|, with one scale for all entries. 0 (default): x_T is
   * a vector, and E1 uses the largest entry of the distance. */
  double position_spacing;
  double velocity_spacing; /* spacing of the samples of v_T along a string, in m, for E2; 0 (default): v_T is a vector,
                            * and E2 uses the largest entry */

  /* With scenarios, the final states of all motions are concatenated, and d and the targets include all of them. The
   * statistic of E1 + E2 replaces the distances from the targets in the merits P and Pi_K; the statistics of E1 and of
   * E2 replace E1 and E2. The search ends when these statistics are small. */
  int scenarios;          /* number of scenarios; 0 (default): one motion and no statistic */
  CtlStatistic statistic; /* default CTL_NOMINAL */
  double quantile;        /* fraction of the scenarios for the quantile, in (0, 1) */
  double effort_at_most;  /* upper limit of J for problems with a statistic; points above it count as out of bounds; 0
                       * (default): no limit */

  int method;             /* index of the search method, from ctl_method_find; default 0, pds */
  CtlPenaltyKind penalty; /* merit function with the penalty; default P */
  CtlNorm norm;           /* norm in P; default 2 */
  double rho;             /* initial value of the penalty parameters rho1, rho2, rho3; 0 (default): 1e6, or 1e5 if they
                           * are updated during the search */
  CtlRhoUpdate rho_update;

  long scheme_size; /* number s of points per simplex; 0 (default): max(3n, 64) */
  CtlSimplexKind simplex;
  double step; /* edge h of the first simplex, in N for a control; default 1 */
  /* [n][n] user-defined simplex: row j is the edge v_{j+1} - v_0 between its vertices; used with CTL_SIMPLEX_USER. NULL
   * if n > CTL_SIMPLEX_CONTROLS_MAX. */
  double *edges;

  double tolerance; /* the search ends if the longest edge of the simplex is below this; default 1e-10 */
  /* the search ends if max_i ||v_i - v_0|| / max(1, ||v_0||) is below this, with the vertices v_i of the simplex; 0
   * (default): unused */
  double relative_tolerance;
  double accept; /* largest E1 and E2 with which the target counts as met; default 1e-6; with roles 1 */
  /* The search stops early when E1 and E2 are at most stop_at; 0 (default): unused. With roles it stops when f is at
   * most stop_at and the constraints are met; default -INFINITY. */
  double stop_at;
  long max_evaluations; /* maximum number of evaluations; 0 (default): no limit */
  long max_simplexes;   /* maximum number of rounds; 0 (default): no limit */
  double max_seconds;   /* time limit of the search, in s; 0 (default): no limit */
  /* time limit of an evaluation, in s, which the functions that drive a search enforce, since the search has no clock;
   * 0 (default): none */
  double evaluation_timeout;
  int restarts; /* maximum number of restarts after stalls; default 2 */
  /* resolution of final rests, in s: a dof that stops earlier or later than T by at most this time counts as stopping
   * at T. For a scheme with time steps this is the step; default 0 */
  double resolution;
  CtlRefinement refine; /* default CTL_REFINE_EXACT */
  bool derivatives;     /* whether the evaluator supplies derivatives of the final state, or of the user-defined values;
                     * default false */
  /* With roles and derivatives: whether CtlOutcome.rows ends with n additional rows that hold a positive semi-definite
   * matrix [n][n], the Hessian of the objectives or its Gauss-Newton approximation; default false. */
  bool curvature;
  bool levels;   /* whether the evaluator accepts points with fewer segments (CtlWant.segments); default false */
  bool patterns; /* whether the evaluator answers pattern queries (control/motion.h); default false */
  /* names of the schemes that have derivatives for this model, for messages, such as "moreau, event"; default "" */
  char derivative_schemes[64];
  /* Whether the set of controls that meet the target is known to be convex (ctl_targets_are_convex), so that there is
   * one local minimum; default false. */
  bool convex;
  /* number of initial points, 1..CTL_STARTS_MAX; 0 (default): the method chooses it; the method hybrid always has 2.
   * `sqp` with `starts` may add as many near its best answer. */
  int local_starts;
  bool certify;           /* whether to prove that the control found has least effort; the caller of the search does so;
                           * default false */
  double certify_gap;     /* relative gap of this proof (control/certify.h), in (0, 1); default 0.01 */
  double certify_seconds; /* time limit of this proof, in s; 0: no limit; default an hour */
  CtlBoundChoice bound;   /* whether to compute a lower bound of J over all controls; the caller of the search does so;
                           * default CTL_BOUND_AUTO */
  double bound_gap;       /* relative gap (J - bound)/J to reach with CTL_BOUND_GIVEN, in (0, 1); default 0.02 */
  double bound_seconds;   /* time limit of the computation of this bound, in s; 0: no limit; default a minute */
};

/* Returns the method that solves the problem: problem->method, but hybrid in place of `auto` if there are no
 * derivatives. */
int ctl_problem_method(const CtlProblem *problem);
/* Whether the method of ctl_problem_method uses derivatives. */
bool ctl_problem_wants_derivatives(const CtlProblem *problem);
/* Whether the method of ctl_problem_method relies on derivatives only, so that its result is as exact as they are. */
bool ctl_problem_needs_derivatives(const CtlProblem *problem);
/* Whether the method of ctl_problem_method, or a part of it, calls a library, which may take up to 20 s to return
 * (control/local). */
bool ctl_problem_calls_library(const CtlProblem *problem);

/* Tables of the keys of a problem file, sections search, certify and bound. CtlProblem stores their values. */
extern const SimParameter ctl_search_parameters[], ctl_certify_parameters[], ctl_bound_parameters[];
extern const SimParameter ctl_values_search_parameters[]; /* keys of section search for a problem with
                                                            * user-defined values */
/* Keys of the sections control.bounds and control.target. */
extern const SimParameter ctl_limit_parameters[], ctl_target_parameters[];

/* Initialises a problem with a control that is constant in time and has n entries. Returns SIM_OK, SIM_NO_MEMORY or
 * SIM_BAD_ARGUMENT. */
SimStatus ctl_problem_init(CtlProblem *problem, int n, int d);
/* Initialises a problem with a time-varying control of p entries in `segments` segments. Returns SIM_OK, SIM_NO_MEMORY
 * or SIM_BAD_ARGUMENT. */
SimStatus ctl_problem_init_signal(CtlProblem *problem, int p, SimSignal signal, int segments, int d);
/* Initialises a problem with a user-defined function: n variables, m values per point, no bounds. All values are
 * objectives until stiction_control_set_role changes them. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_ARGUMENT, for
 * example if n is not in 1..CTL_CONTROLS_MAX or m not in 1..CTL_VALUES_MAX. */
SimStatus ctl_problem_init_values(CtlProblem *problem, int n, int m);
void ctl_problem_clear(CtlProblem *problem);
/* Sets the fields that depend on the motion that the problem steers: the resolution of final rests, whether and by
 * which schemes the motion has derivatives, whether searches may use fewer segments and pattern queries. */
void ctl_problem_note_motion(CtlProblem *problem, const SimProblem *motion);
/* Determines which entries have a target, of x_T, then of v_T: given is [2][count] for the `count` rows (dofs) of this
 * rank. */
void ctl_given_entries(const SimProblem *motion, const CtlProblem *problem, bool *given);
/* Whether the target velocity is 0 all along a string. */
bool ctl_given_rest(const CtlProblem *problem);
/* Returns the number of points that `auto` stands for in the key scheme_size: max(3n, 64). */
long ctl_scheme_auto(int n);
/* Returns the number of points per simplex; 0, the default, is replaced by ctl_scheme_auto(n). */
long ctl_problem_scheme_size(const CtlProblem *problem);
/* Returns the initial rho; 0, the default, is replaced by the number that it stands for. */
double ctl_problem_rho(const CtlProblem *problem);

/* Copies a problem without roles. The copy has the same signal in `segments` segments, and its targets are repeated for
 * `motions` motions. If the number of segments differs, all segments of the copy have the bounds of the first original
 * segment, and the start is 0, moved into these bounds. The copy has no start_ways, levels or patterns. Returns SIM_OK,
 * or SIM_NO_MEMORY or SIM_BAD_ARGUMENT, after which *copy is unchanged. */
SimStatus ctl_problem_copy(const CtlProblem *problem, int segments, int motions, CtlProblem *copy);
/* Copies the problem of one motion to a problem of `scenarios` motions and their statistic. Returns the statuses of
 * ctl_problem_copy. */
SimStatus ctl_problem_stack(const CtlProblem *one, int scenarios, CtlProblem *stacked);

/* Returns the effort J(u) = int_0^T N u.u dt, exactly. With the length h = T/S of a segment it is the sum over the
 * segments k of h u_k'N u_k, or for piecewise linear controls of h (u_{k-1}'N u_{k-1} + u_{k-1}'N u_k + u_k'N u_k)/3.
 * control: [n]. */
double ctl_cost(const CtlProblem *problem, const double *control);
/* Returns the effort J of a control with segments of unequal lengths. starts: [S + 1] times t_0 .. t_S between the
 * segments, in s. */
double ctl_cost_between(const CtlProblem *problem, const double *starts, const double *control);

/* Returns the norm of r = (y - target)/scale over the entries with a target (not NAN); 0 if there are none. For the
 * position this is the error E1, for the velocity E2 ((4.1), (4.2) of Glowinski-Kearsley). y, target, scale: [d]; a NAN
 * scale stands for max(1, ||target||), as in the paper. Both norms are the largest entry, or sqrt(spacing sum r^2) if
 * spacing > 0, which requires equal entries of scale. */
double ctl_target_error(int d, const double *y, const double *target, const double *scale, double spacing);
/* Returns the number of entries of x_T and v_T with a target, without the entries of functions along a string, which
 * least squares combine to a few conditions. */
int ctl_targets_alone(const CtlProblem *problem);
/* Whether there are fewer forces than degrees of freedom. The dofs without a force are then moved only through the
 * springs and links to their neighbours, and the timing of u matters. */
bool ctl_problem_is_underactuated(const CtlProblem *problem);
/* Computes the errors E1 and E2 of a final state x, v: [d]. */
void ctl_errors(const CtlProblem *problem, const double *x, const double *v, double errors[2]);
/* Returns the index, counted from 0, of the quantile `part` in (0, 1) in an ascending list of n numbers. */
int ctl_quantile_rank(double part, int n);

#endif
