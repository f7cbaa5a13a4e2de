/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface of a search method: a table of functions. The search (control/search) evaluates the points that a method
 * proposes. The points of one proposal are a round. The search ends the method by rules that all methods share. A
 * method may run other methods by their tables (hybrid).
 *
 *     start -> next -> { points -> evaluated -> tell -> next }* -> 0, or the search is over       -> end
 *                                                            restart after a stall -> points .. */
#ifndef CONTROL_METHOD_H
#define CONTROL_METHOD_H

#include "control/base/bytes.h"
#include "control/outcome/objective.h"

typedef struct CtlMethod CtlMethod;
typedef struct CtlMethodOps CtlMethodOps;

/* One run of a method. It is the first member of the struct of each method. */
typedef struct CtlRun {
  const CtlMethod *method;
  const CtlMethodOps *ops; /* table of the method's functions */
  /* Problem of the run; borrowed. It is the search's problem. If the run is a part of another method, it is a copy
   * of that problem with another scheme_size. */
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
  const void *own;               /* data that distinguish methods with the same functions */
  bool petsc;                    /* whether PETSc must have been started */
  bool library;                  /* whether the method treats the target as a constraint; then the best point is
                                  * judged by a penalty with rho >= CTL_RHO_MAX */
  /* whether the method treats the target as a constraint; the best point is then judged by the penalty with rho >=
   * CTL_RHO_MAX */
  bool constrained;
  bool fixed_penalty; /* whether the method treats constraints on values by the penalty with its initial parameters */
  int targets;        /* maximum number of entries of x_T, v_T that have a target; 0: unlimited */
  /* for user-defined values: whether all values must be residuals or constraints */
  bool residuals;
  /* whether the method uses least squares; entries of a function along a string then do not count as targets */
  bool squares;
  CtlDerivatives derivatives;
  bool statistics, scenarios; /* statistics: whether the method accepts a statistic of scenarios. scenarios: whether
                               * it accepts nothing else. */
};

struct CtlMethodOps {
  size_t size; /* size of the run's struct; its bytes are zero at creation */
  long room;   /* minimum number of cached points, in addition to those of a round and of the initial simplex */
  const char *rounds[2]; /* names of a round in singular and plural, for example "simplex", "simplexes" */
  bool simplexes;        /* whether a round is a simplex of points, instead of one point or a few */

  /* returns the number of points of the first round; ctl_objective_resize makes room for more in later rounds */
  long (*round)(const CtlProblem *problem);

  /* Starts a run at a control [n] with first step `step`, in N. NULL: it starts at the problem's start with its step. A
   * second call starts anew. Sets state.edge. Returns false when out of memory. */
  bool (*start)(CtlRun *run, const double *control, double step);
  /* Computes the next points. Returns their number; 0 if the method has ended. */
  long (*next)(CtlRun *run);
  /* Writes the points first .. first + count - 1 of the round: controls [count][n]. */
  void (*points)(CtlRun *run, long first, int count, double *controls);
  /* Returns what to evaluate at point k of the round: the problem's motion, with or without derivatives, or another
   * motion such as one with less friction. Points with derivatives or of another motion are always simulated, never
   * taken from the cache. Points of another motion never become the best point. The function `start` must reserve
   * memory for derivatives (ctl_objective_reserve_rows). NULL: the problem's motion without derivatives for all
   * points. */
  CtlWant (*want)(const CtlRun *run, long k);
  /* Called when the merits of all proposed points are known (CtlObjective.merits). Returns whether a round has ended;
   * the initial simplex is not a round. NULL: the best point becomes the incumbent if it is better, and each proposal
   * is a round. */
  bool (*tell)(CtlRun *run);
  /* Does one part of a long computation after `tell`. Returns whether there is more to do. The state can be saved
   * between two parts. NULL: the method has no such computation. */
  bool (*work)(CtlRun *run);
  /* Makes the best point the incumbent if it is better, also for an incomplete round. NULL: by merit,
   * ctl_objective_improve. */
  void (*improve)(CtlObjective *objective);
  /* Restarts after a stall. Returns the number of points; 0: out of memory, or nothing left. */
  long (*restart)(CtlRun *run);
  /* Returns the number of evaluations that the next points, or those of a restart, need before the search can be
   * stopped again. */
  long (*ahead)(CtlRun *run, bool restarts);
  bool (*unfinished)(CtlRun *run); /* returns whether `restart` must continue, whatever the search has reached; NULL:
                                    * never */
  double (*size_of)(CtlRun *run);  /* returns the relative size of the method's simplex; NULL: the method has no
                                    * simplex */

  /* Writes or reads the state of the run, without the objective. Reading is safe against any bytes (bytes->bad).
   * After reading, `next` proposes the same points as when the run was saved. Returns false when out of memory. */
  bool (*serialize)(CtlRun *run, CtlBytes *bytes);
  void (*end)(CtlRun *run); /* frees all memory that the struct owns; it may be called at any time */
};

/* Names of the functions that every method has. */
#define CTL_METHOD_FUNCTIONS                                                                                           \
  .start = start, .next = next, .points = points, .restart = restart, .ahead = ahead, .serialize = serialize, .end = end

/* Creates a run that has not started. problem and objective are borrowed. Returns NULL when out of memory. */
CtlRun *ctl_run_create(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);
void ctl_run_destroy(CtlRun *run); /* may be NULL */

/* Allocates the arrays of the objective, and an empty cache of the size that the method needs. Returns false when out
 * of memory. */
bool ctl_method_equip(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);

/* Returns what must be evaluated at point k of a run. */
CtlWant ctl_run_want(const CtlRun *run, long k);

/* Whether the method accepts the problem's number of targets and, for user-defined values, their roles. */
bool ctl_method_takes(const CtlMethod *method, const CtlProblem *problem);

#endif
