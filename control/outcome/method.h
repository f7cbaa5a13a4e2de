/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface of a search method: a table of functions. The search (control/search) evaluates the points that a method
 * proposes. The points of one proposal are a round. The search ends the method by rules that are the same for all
 * methods. A method may run other methods by their tables (hybrid does).
 *
 * Order of the calls: start, next, then in each round points, evaluation of the points by the search, tell and next,
 * until next returns 0 or the search is over, then end. After a stall the search calls restart, which replaces next. */
#ifndef CONTROL_METHOD_H
#define CONTROL_METHOD_H

#include "control/base/bytes.h"
#include "control/outcome/objective.h"

typedef struct CtlMethod CtlMethod;
typedef struct CtlMethodOps CtlMethodOps;

/* One run of a method. This struct is the first member of the struct of each method. */
typedef struct CtlRun {
  const CtlMethod *method;
  const CtlMethodOps *ops; /* table of the method's functions */
  /* Problem of the run; borrowed. It is the problem of the search or, if the run is a part of another method, a copy of
   * that problem with another scheme_size. */
  const CtlProblem *problem;
  CtlObjective *objective; /* borrowed */
  /* index of the run's first point among the points of the round; 0, except if the run is a part of another method */
  long place;
} CtlRun;

/* How a method uses derivatives: never, if the problem has them, or always (it requires them). */
typedef enum CtlDerivatives { CTL_DERIVATIVES_UNUSED, CTL_DERIVATIVES_USED, CTL_DERIVATIVES_NEEDED } CtlDerivatives;

struct CtlMethod {
  const char *name;  /* name in problem files and saved searches; NULL ends a list of methods */
  const char *about; /* description of the method, one sentence */
  const CtlMethodOps *ops;
  const CtlMethodOps *of_values; /* functions for user-defined values; NULL: the same as ops */
  const void *own;               /* constant data of the method, by which methods with the same functions differ */
  bool petsc;                    /* whether PETSc must have been started */
  bool library;                  /* whether the method calls a library, which may take up to 20 s to return
                                  * (control/local) */
  /* whether the method treats the target as a constraint; the best point is then judged by the penalty with rho >=
   * CTL_RHO_MAX */
  bool constrained;
  bool fixed_penalty; /* whether the method treats constraints on user-defined values by the penalty with its initial
                       * parameters */
  int targets;        /* maximum number of entries of x_T, v_T that have a target; 0: unlimited */
  /* for user-defined values: whether the method requires that all values are residuals or constraints */
  bool residuals;
  /* whether the method uses least squares; entries of a function along a string then do not count as targets */
  bool squares;
  CtlDerivatives derivatives;
  bool statistics, scenarios; /* statistics: whether the method accepts a statistic of scenarios. scenarios: whether
                               * it accepts nothing else. */
};

struct CtlMethodOps {
  size_t size; /* size of the struct of a run, in bytes; it is zeroed at creation */
  long room;   /* minimum number of points that the cache must hold, in addition to those of a round and of the initial
                * simplex */
  const char *rounds[2]; /* names of a round in the singular and in the plural, for example "simplex", "simplexes" */
  bool simplexes;        /* whether a round is a simplex of points, instead of one point or a few */

  /* returns the number of points of the first round; later rounds may have more after ctl_objective_resize */
  long (*round)(const CtlProblem *problem);

  /* Starts a run at a control [n] with a first step of length `step`, in N. If control is NULL, the run starts at the
   * problem's start with the problem's step. A second call restarts the run from the beginning. Sets state.edge.
   * Returns false when out of memory. */
  bool (*start)(CtlRun *run, const double *control, double step);
  /* Computes the next points. Returns their number; 0 if the method has ended. */
  long (*next)(CtlRun *run);
  /* Writes the points first .. first + count - 1 of the round: controls [count][n]. */
  void (*points)(CtlRun *run, long first, int count, double *controls);
  /* Returns what to evaluate at point k of the round: the problem's motion, with or without derivatives, or another
   * motion, for example with less friction. Points with derivatives or of another motion are always simulated, never
   * taken from the cache. Points of another motion never become the best point. The function `start` must reserve
   * memory for derivatives (ctl_objective_reserve_rows). NULL: the problem's motion without derivatives for all
   * points. */
  CtlWant (*want)(const CtlRun *run, long k);
  /* Called when the merits of all proposed points are known (CtlObjective.merits). Returns whether a round has ended;
   * the initial simplex does not count as a round. NULL: the best point becomes the incumbent (the best point so far)
   * if it is better, and each proposal is a round. */
  bool (*tell)(CtlRun *run);
  /* Does one part of a long computation after `tell`. Returns whether there is more to do. The state can be saved
   * between two parts. NULL: the method has no such computation. */
  bool (*work)(CtlRun *run);
  /* Makes the best point of the round the incumbent if it is better, also if the round is incomplete. NULL: compares
   * merits, by ctl_objective_improve. */
  void (*improve)(CtlObjective *objective);
  /* Restarts after a stall. Returns the number of points; 0: memory is lacking, or no restart is possible. */
  long (*restart)(CtlRun *run);
  /* Returns the number of evaluations until the search can next be stopped: for the points proposed next or, with
   * `restarts`, for those of a restart. */
  long (*ahead)(CtlRun *run, bool restarts);
  bool (*unfinished)(CtlRun *run); /* returns whether `restart` must be called to continue, whatever the search has
                                    * reached; NULL: never */
  double (*size_of)(CtlRun *run);  /* returns the relative size of the method's simplex; NULL: the method has no
                                    * simplex */

  /* Writes or reads the state of the run, without the objective. Reading is safe against any bytes (bytes->bad).
   * After reading, `next` proposes the same points as when the run was saved. Returns false when out of memory. */
  bool (*serialize)(CtlRun *run, CtlBytes *bytes);
  void (*end)(CtlRun *run); /* frees all memory that the struct owns; it may be called at any time */
};

/* Table entries for the functions that every method must have. */
#define CTL_METHOD_FUNCTIONS                                                                                           \
  .start = start, .next = next, .points = points, .restart = restart, .ahead = ahead, .serialize = serialize, .end = end

/* Creates a run that has not started. problem and objective are borrowed. Returns NULL when out of memory. */
CtlRun *ctl_run_create(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);
void ctl_run_destroy(CtlRun *run); /* run: may be NULL */

/* Allocates the arrays of the objective, and an empty cache with the capacity that the method needs. Returns false when
 * out of memory. */
bool ctl_method_equip(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);

/* Returns what must be evaluated at point k of a run. */
CtlWant ctl_run_want(const CtlRun *run, long k);

/* Whether the method supports the problem's number of targets and, for user-defined values, their roles. */
bool ctl_method_takes(const CtlMethod *method, const CtlProblem *problem);

#endif
