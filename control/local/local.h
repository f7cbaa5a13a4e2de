/* Local methods of libraries that call back for values, NLopt's and TAO's, behind rounds of one point: each is a coroutine
 * that waits in its callback until the outcome of the point that it wants is in the cache. The methods are deterministic,
 * so one that is run anew from its start goes the same way, at once where the cache knows it: a saved run is its start. */
#ifndef CONTROL_LOCAL_H
#define CONTROL_LOCAL_H

#include "control/local/coroutine.h"
#include "control/outcome/method.h"

enum {
  CTL_LOCAL_MOST = 100000, /* evaluations of one run, known ones included: POUNDERS takes memory for them */
  CTL_LOCAL_SECONDS = 20   /* of processor time without a new point: then it is taken to have hung */
};

/* What stands for each miss of a failed evaluation: far off, yet finite, for the methods fit models to it. */
#define CTL_LOCAL_FAILED 1e6

typedef struct CtlLocal {
  const CtlMethod *method;
  const CtlProblem *problem; /* borrowed, as the cache */
  CtlCache *cache;
  CtlPenalty penalty; /* as it was at the start: values must not change while the method runs */
  double step;        /* its first step, N */
  double *start;      /* [n]; owned, with the next three in one block */
  double *wanted;     /* [n] the point that it wants */
  double *inside;     /* [n] a point looked up, moved into the bounds */
  double *scratch;    /* [3][n] the solver's */
  long newest;        /* of the cache entries that it has found; -1: none */
  bool over;          /* its run must be given up: there are no more values for it */
  bool ended;         /* it wants none */
  bool cut;           /* by CTL_LOCAL_MOST */
  bool no_memory;     /* for that reason */
  bool failed;        /* for an error that its library has told, or because it has hung */
  bool hung;          /* it has not come back from its library in time */
  bool late;          /* for the search's time is up, which is no failure */
  CtlCoroutine *run;  /* owned; NULL before it has begun */
} CtlLocal;

/* All local methods': one point at a time. Their `own` is a solver of a library. */
extern const CtlMethodOps ctl_local_ops;

typedef struct CtlLocalSolver {
  void (*minimise)(CtlLocal *local); /* in the coroutine: asks for values by ctl_local_value, until it has an end */
  int algorithm, subsidiary;         /* of NLopt's; 0: none */
} CtlLocalSolver;

/* Runs the method from its start, or on with the outcome of `wanted`, which must be in the cache, to the next point that
 * is not in the cache, or to its end. seconds: that this may take (INFINITY: any); then the run ends as one that hangs. Where a thread has been left in
 * PETSc, one of PETSc's looks at its start alone: two of them at a time would spoil each other. */
void ctl_local_run(CtlLocal *local, double seconds);

/* A run that has not begun; penalty, step and start are to be set. NULL when out of memory. Destroyed wherever it
 * stands. */
CtlLocal *ctl_local_create(const CtlMethod *method, const CtlProblem *problem, CtlCache *cache);
void ctl_local_destroy(CtlLocal *local);

/* For the solvers' callbacks: f of a point, moved into the bounds, whose outcome is known, be it after a wait. f: J
 * for a constrained method, the penalty function for another. control: [n]; misses: [ctl_target_count], x(T) - x_T and
 * x'(T) - v_T where given, of values the constraints' r (values.h), or NULL; residuals: those of values, or NULL. Returns false
 * when the run must be given up; nothing is set then. */
bool ctl_local_value(CtlLocal *local, const double *control, double *f, double *misses, double *residuals);

/* To be called before a library and when it has returned: what is read of the problem comes before whoever leaves the run frees
 * it, and a run that has been left does not come back. */
void ctl_local_pass(CtlLocal *local);

#endif
