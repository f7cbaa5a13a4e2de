/* Local methods of NLopt and TAO, which call back for values, as rounds of one point. Each is a coroutine that waits
 * in its callback until the outcome of its point is in the cache. The methods are deterministic, so a method
 * restarted from its start takes the same steps, without waiting where the cache has the outcomes. A saved run is
 * therefore its start. */
#ifndef CONTROL_LOCAL_H
#define CONTROL_LOCAL_H

#include "control/local/coroutine.h"
#include "control/outcome/method.h"

enum {
  /* maximum number of evaluations of a run, cached ones included: POUNDERS' memory grows with them */
  CTL_LOCAL_MOST = 100000,
  CTL_LOCAL_SECONDS = 20 /* processor time without a new point after which a method counts as hung */
};

/* Value of each miss of a failed evaluation: large but finite, since the methods fit models to it. */
#define CTL_LOCAL_FAILED 1e6

typedef struct CtlLocal {
  const CtlMethod *method;
  const CtlProblem *problem; /* borrowed, like the cache */
  CtlCache *cache;
  /* penalty parameters, fixed at the start, since the function must not change while the method runs */
  CtlPenalty penalty;
  double step;       /* first step, N */
  double *start;     /* [n]; owned, with the next three in one block */
  double *wanted;    /* [n] point to be evaluated */
  double *inside;    /* [n] point of a lookup, moved into the bounds */
  double *scratch;   /* [3][n] workspace of the solver */
  long newest;       /* latest cache entry used; -1: none */
  bool over;         /* the run must end: no more values are available */
  bool ended;        /* the run has ended */
  bool cut;          /* ended by CTL_LOCAL_MOST */
  bool no_memory;    /* ended for lack of memory */
  bool failed;       /* ended by an error of its library, or hung */
  bool hung;         /* has not returned from its library in time */
  bool late;         /* ended by the search's time limit, which is not a failure */
  CtlCoroutine *run; /* owned; NULL before the start */
} CtlLocal;

/* Operations of all local methods: one point at a time. `own` of the method is a LocalSolver. */
extern const CtlMethodOps ctl_local_ops;

typedef struct CtlLocalSolver {
  /* runs in the coroutine: obtains values by ctl_local_value until it has converged */
  void (*minimise)(CtlLocal *local);
  int algorithm, subsidiary; /* numbers of NLopt's algorithms; 0: none */
} CtlLocalSolver;

/* Runs the method from its start, or continues with the outcome of `wanted`, which must be in the cache, until it
 * needs a point that is not in the cache, or ends. seconds: time limit (INFINITY: none); the run then ends like a
 * hung one. After a thread has been abandoned in PETSc, a PETSc method evaluates its start only, because two at a
 * time would corrupt PETSc's state. */
void ctl_local_run(CtlLocal *local, double seconds);

/* Creates a run that has not begun. The caller sets penalty, step and start. NULL when out of memory. It may be
 * destroyed at any time. */
CtlLocal *ctl_local_create(const CtlMethod *method, const CtlProblem *problem, CtlCache *cache);
void ctl_local_destroy(CtlLocal *local);

/* For the solvers' callbacks: returns f of a point, moved into the bounds, after a wait if its outcome is unknown.
 * f: J for a constrained method, otherwise the penalty function. control: [n]; misses: [ctl_target_count], x(T) -
 * x_T and x'(T) - v_T where given, or for values the constraints' r (values.h), or NULL; residuals: those of values,
 * or NULL. Returns false, with nothing set, if the run must end. */
bool ctl_local_value(CtlLocal *local, const double *control, double *f, double *misses, double *residuals);

/* Call before entering a library and after it has returned. All reads of the problem then precede the point at which
 * the owner of an abandoned run may free it, and an abandoned run does not return. */
void ctl_local_pass(CtlLocal *local);

#endif
