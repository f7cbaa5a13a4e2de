/* A search method: a table of functions. The search (control/search) evaluates rounds of points for it, of one objective,
 * and ends it by the rules that hold for all; a method may have others run by the same tables (hybrid).
 *
 *     start -> next -> { points -> evaluated -> tell -> next }* -> 0, or the search is over       -> end
 *                                                            restart after a stall -> points ..
 */
#ifndef CONTROL_METHOD_H
#define CONTROL_METHOD_H

#include "control/base/bytes.h"
#include "control/outcome/objective.h"

typedef struct CtlMethod CtlMethod;
typedef struct CtlMethodOps CtlMethodOps;

/* One run of a method: the first member of the struct that the method keeps its state in. */
typedef struct CtlRun {
  const CtlMethod *method;
  const CtlMethodOps *ops;   /* the method's */
  const CtlProblem *problem; /* borrowed; the search's, or, of a part of another method, with scheme_size of its own */
  CtlObjective *objective;   /* borrowed */
  long place;                /* among the points at work of its own first one: 0 but of a part of another method */
} CtlRun;

/* Derivatives of points: a method has none of them, some where the problem has them, or cannot do without. */
typedef enum CtlDerivatives { CTL_DERIVATIVES_UNUSED, CTL_DERIVATIVES_USED, CTL_DERIVATIVES_NEEDED } CtlDerivatives;

struct CtlMethod {
  const char *name;  /* as in problem files; saved searches say it, too. NULL ends a list of methods */
  const char *about; /* one sentence */
  const CtlMethodOps *ops;
  const void *own;    /* what tells it from others with the same functions */
  bool petsc;         /* PETSc must be started */
  bool library;       /* a library has the lead, which may not come back */
  bool constrained;   /* takes the target as it is: what is best is told by the penalty with rho >= CTL_RHO_MAX */
  bool fixed_penalty; /* takes values' constraints by the penalty as it is at the start */
  int targets;        /* entries of x_T, v_T that it takes at most; 0: any number */
  bool residuals;     /* of values of one's own it takes residuals and constraints, but no objective */
  bool squares;       /* those of a function along a string count as none: least squares make them few */
  CtlDerivatives derivatives;
  bool statistics, scenarios; /* it takes a statistic of scenarios; and nothing else */
};

struct CtlMethodOps {
  size_t size;           /* of the run's struct; zero at first */
  long room;             /* points that the cache holds at least, besides those of a round and the initial simplex */
  const char *rounds[2]; /* what a round is called, and several: "simplex", "simplexes" */
  bool simplexes;        /* it has a simplex of points, not one point or a few */

  long (*round)(const CtlProblem *problem); /* points of a round at the start; for more: ctl_objective_resize */

  /* Begins at a control [n] with the first step `step`, N; NULL: at the problem's start with the problem's step. Called
   * again, it begins anew. Sets state.edge. Returns false when out of memory. */
  bool (*start)(CtlRun *run, const double *control, double step);
  /* Goes on to the next points: how many; 0 when it has come to its end. */
  long (*next)(CtlRun *run);
  /* Points first .. first + count - 1 of them: controls [count][n]. */
  void (*points)(CtlRun *run, long first, int count, double *controls);
  /* What is wanted of point k. Those wanted with derivatives, or of another motion, are always simulated, and never
   * become the incumbent of ctl_objective_improve where the motion is another; for derivatives start reserves room
   * (ctl_objective_reserve_rows). NULL: of all, where the problem's motion ends. */
  CtlWant (*want)(const CtlRun *run, long k);
  /* The merits of all points are in the objective. Returns whether a round has ended with them (the initial simplex is no
   * round of its own). NULL: the best of them becomes the incumbent if it is better; always a round. */
  bool (*tell)(CtlRun *run);
  /* What follows on tell, and may take long: a piece of what the next points are found by. Returns whether there is more to do. The state
   * can be saved between any two. NULL: nothing. */
  bool (*work)(CtlRun *run);
  /* Whichever of the points is best becomes the incumbent if it is better, also of a round that is not whole. NULL: by merit,
   * ctl_objective_improve. */
  void (*improve)(CtlObjective *objective);
  /* Begins again where it has stalled: how many points; 0: out of memory, or nothing left. */
  long (*restart)(CtlRun *run);
  /* Evaluations that the next points, or those of a restart, need before anything can stop the search again. */
  long (*ahead)(CtlRun *run, bool restarts);
  bool (*unfinished)(CtlRun *run); /* restart goes on whatever the result is; NULL: never */
  double (*size_of)(CtlRun *run);  /* relative size of its simplex; NULL: it has none */

  /* Its state, but for what the objective says, to bytes or from any bytes (bytes->bad): then it goes on with next, which
   * lays out the points that it had when it was saved. Returns false when out of memory. */
  bool (*serialize)(CtlRun *run, CtlBytes *bytes);
  void (*end)(CtlRun *run); /* frees what the struct owns, wherever the run stands */
};

/* The functions that every method has, where they are called so. */
#define CTL_METHOD_FUNCTIONS                                                                                           \
  .start = start, .next = next, .points = points, .restart = restart, .ahead = ahead, .serialize = serialize, .end = end

/* A run that has not started; problem and objective are borrowed. NULL: no memory. */
CtlRun *ctl_run_create(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);
void ctl_run_destroy(CtlRun *run); /* NULL: nothing */

/* The objective's arrays and an empty cache with the room that a method asks for. Returns false when out of memory. */
bool ctl_method_equip(const CtlMethod *method, const CtlProblem *problem, CtlObjective *objective);

/* What a run wants of its point k. */
CtlWant ctl_run_want(const CtlRun *run, long k);

/* Whether the problem has no more targets than the method takes, and of values no other roles. */
bool ctl_method_takes(const CtlMethod *method, const CtlProblem *problem);

#endif
