/* Interface of a search method: a table of functions. The search (control/search) evaluates rounds of points for it,
 * with one objective, and ends it by common rules. A method may run other methods by the same tables (hybrid).
 *
 *     start -> next -> { points -> evaluated -> tell -> next }* -> 0, or the search is over       -> end
 *                                                            restart after a stall -> points .. */
#ifndef CONTROL_METHOD_H
#define CONTROL_METHOD_H

#include "control/base/bytes.h"
#include "control/outcome/objective.h"

typedef struct CtlMethod CtlMethod;
typedef struct CtlMethodOps CtlMethodOps;

/* One run of a method; the first member of the method's own struct. */
typedef struct CtlRun {
  const CtlMethod *method;
  const CtlMethodOps *ops; /* functions of the method */
  /* borrowed; the search's problem, or, for a part of another method, one with its own scheme_size */
  const CtlProblem *problem;
  CtlObjective *objective; /* borrowed */
  /* index of its first point among the points of the round; 0 except for a part of another method */
  long place;
} CtlRun;

/* Use of derivatives: none, if the problem has them, or required. */
typedef enum CtlDerivatives { CTL_DERIVATIVES_UNUSED, CTL_DERIVATIVES_USED, CTL_DERIVATIVES_NEEDED } CtlDerivatives;

struct CtlMethod {
  const char *name;  /* name in problem files and saved searches. NULL ends a list of methods */
  const char *about; /* description, one sentence */
  const CtlMethodOps *ops;
  const CtlMethodOps *of_values; /* functions for user-defined values; NULL: ops */
  const void *own;               /* distinguishes methods with the same functions */
  bool petsc;                    /* PETSc must be started */
  bool library;                  /* a library controls the run and may not return */
  /* treats the target as a constraint; the best point is then judged by the penalty with rho >= CTL_RHO_MAX */
  bool constrained;
  bool fixed_penalty; /* treats constraints on values by the penalty with its initial parameters */
  int targets;        /* maximum number of given entries of x_T, v_T; 0: unlimited */
  bool residuals;     /* for user-defined values: accepts residuals and constraints, no objective */
  /* the method uses least squares, so entries of a function along a string do not count as targets */
  bool squares;
  CtlDerivatives derivatives;
  bool statistics, scenarios; /* accepts a statistic of scenarios; accepts nothing else */
};

struct CtlMethodOps {
  size_t size;           /* size of the run's struct, which is zeroed */
  long room;             /* minimum number of cached points besides those of a round and the initial simplex */
  const char *rounds[2]; /* name of a round in singular and plural: "simplex", "simplexes" */
  bool simplexes;        /* has a simplex of points, not one point or a few */

  long (*round)(const CtlProblem *problem); /* points of a round at the start; more: ctl_objective_resize */

  /* Starts at a control [n] with first step `step`, N; NULL: at the problem's start with its step. A second call
   * starts anew. Sets state.edge. Returns false when out of memory. */
  bool (*start)(CtlRun *run, const double *control, double step);
  /* Computes the next points. Returns their number; 0: the method has ended. */
  long (*next)(CtlRun *run);
  /* Writes points first .. first + count - 1: controls [count][n]. */
  void (*points)(CtlRun *run, long first, int count, double *controls);
  /* What to evaluate at point k. Points with derivatives or of another motion are always simulated. Points of
   * another motion never become the incumbent of ctl_objective_improve. For derivatives `start` reserves room
   * (ctl_objective_reserve_rows). NULL: the problem's motion for all points. */
  CtlWant (*want)(const CtlRun *run, long k);
  /* Called when the merits of all points are in the objective. Returns whether a round has ended (the initial
   * simplex is not a round). NULL: the best point becomes the incumbent if it is better; always a round. */
  bool (*tell)(CtlRun *run);
  /* Does a piece of a long computation after tell. Returns whether there is more. The state can be saved between two
   * pieces. NULL: none. */
  bool (*work)(CtlRun *run);
  /* Makes the best point the incumbent if it is better, also for an incomplete round. NULL: by merit,
   * ctl_objective_improve. */
  void (*improve)(CtlObjective *objective);
  /* Restarts after a stall. Returns the number of points; 0: out of memory, or nothing left. */
  long (*restart)(CtlRun *run);
  /* Number of evaluations that the next points, or those of a restart, need before the search can be stopped again. */
  long (*ahead)(CtlRun *run, bool restarts);
  bool (*unfinished)(CtlRun *run); /* whether restart continues for any result; NULL: never */
  double (*size_of)(CtlRun *run);  /* relative size of its simplex; NULL: none */

  /* Writes or reads its state, apart from the objective; safe against any bytes (bytes->bad). After reading, `next`
   * reproduces the points of the time of saving. Returns false when out of memory. */
  bool (*serialize)(CtlRun *run, CtlBytes *bytes);
  void (*end)(CtlRun *run); /* frees what the struct owns, at any time */
};

/* Functions that every method has, under these names. */
#define CTL_METHOD_FUNCTIONS                                                                                           \
  .start = start, .next = next, .points = points, .restart = restart, .ahead = ahead, .serialize = serialize, .end = end

/* Creates a run that has not started; problem and objective are borrowed. NULL: no memory. */
CtlRun *ctl_run_create(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);
void ctl_run_destroy(CtlRun *run); /* may be NULL */

/* Allocates the objective's arrays and an empty cache of the size that a method needs. Returns false when out of
 * memory. */
bool ctl_method_equip(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);

/* Returns what a run needs evaluated at its point k. */
CtlWant ctl_run_want(const CtlRun *run, long k);

/* Whether the method accepts the problem's number of targets and, for values, their roles. */
bool ctl_method_takes(const CtlMethod *method, const CtlProblem *problem);

#endif
