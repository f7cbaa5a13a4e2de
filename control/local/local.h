/* SPDX-License-Identifier: BSD-2-Clause */
/* Local methods of NLopt and TAO. These libraries obtain function values by calling a callback, but a search of this
 * project requests one point at a time and gets its outcome later. Each method is therefore run as a coroutine, which
 * waits in its callback until the outcome of its point is in the cache. The methods are deterministic: a run that
 * begins again at its initial point takes the same steps, and waits only for outcomes that are not in the cache. So
 * only the initial point of a run is saved. */
#ifndef CONTROL_LOCAL_H
#define CONTROL_LOCAL_H

#include "control/local/coroutine.h"
#include "control/outcome/method.h"

enum {
  /* maximum number of evaluations of a run, including cached ones, since the memory of POUNDERS grows with them */
  CTL_LOCAL_MOST = 100000,
  CTL_LOCAL_SECONDS = 20 /* a method that uses this much processor time, in s, without requesting a new point counts as
                          * hung */
};

/* Value that replaces each error of the final state after a failed evaluation. The value is large but finite, since the
 * methods fit models to all values. */
#define CTL_LOCAL_FAILED 1e6

typedef struct CtlLocal {
  const CtlMethod *method;
  const CtlProblem *problem; /* problem to be solved; borrowed, like the cache */
  CtlCache *cache;
  /* penalty parameters. They do not change during a run, since the function that the method minimises must not
   * change */
  CtlPenalty penalty;
  double step;       /* first change of a control value, in N */
  double *start;     /* [n] initial point of the run; owned, in one allocation with the next three arrays */
  double *wanted;    /* [n] point for which the run awaits the outcome */
  double *inside;    /* [n] point at which the outcome is requested: `wanted`, moved into the bounds */
  double *scratch;   /* [3][n] workspace of the solver */
  long newest;       /* index of the latest cache entry used; -1 if there is none */
  bool over;         /* whether the run must end because no more points will be evaluated for it */
  bool ended;        /* whether the run has ended */
  bool cut;          /* whether the run was ended by CTL_LOCAL_MOST */
  bool no_memory;    /* whether the run was ended by a lack of memory */
  bool failed;       /* whether the run was ended by an error of its library, or has hung */
  bool hung;         /* whether the run has not returned from its library in time and was abandoned */
  bool late;         /* whether the run was ended by the search's time limit; this is not a failure */
  CtlCoroutine *run; /* coroutine of the method; owned; NULL before the start */
} CtlLocal;

/* Operations that all local methods share. They evaluate one point at a time. The member `own` of each CtlMethod is a
 * CtlLocalSolver. */
extern const CtlMethodOps ctl_local_ops;

typedef struct CtlLocalSolver {
  /* minimises in the coroutine, with values from ctl_local_value, until the method has converged */
  void (*minimise)(CtlLocal *local);
  int algorithm, subsidiary; /* NLopt's constants for the algorithm and for the algorithm of the subproblems; 0 if there
                              * is none */
} CtlLocalSolver;

/* Continues the method, from its initial point or with the outcome of the point `wanted`, which must be in the cache.
 * Returns when the method ends, or needs a point that is not in the cache. seconds: time limit (INFINITY: none), after
 * which the run is ended like a hung one.
 *
 * A thread that hangs in PETSc is abandoned and may still use the state of PETSc, which two threads at a time would
 * corrupt. Afterwards a PETSc method evaluates only its initial point. */
void ctl_local_run(CtlLocal *local, double seconds);

/* Creates a run that has not begun. The caller sets penalty, step and start. Returns NULL when out of memory. The run
 * may be destroyed at any time. */
CtlLocal *ctl_local_create(const CtlMethod *method, const CtlProblem *problem, CtlCache *cache);
void ctl_local_destroy(CtlLocal *local);

/* Called by the callback of a solver: computes the function value f of a point, which is moved into the bounds. If the
 * point has not been evaluated, the run waits for its outcome. f: J for a method with constraints, otherwise the
 * penalty function. control: [n]. misses: [ctl_target_count] x(T) - x_T and x'(T) - v_T for entries with a target, or
 * the residuals r of the constraints (values.h); NULL: not needed. residuals: those of user-defined values, or NULL.
 * Returns false, with nothing set, if the run must end. */
bool ctl_local_value(CtlLocal *local, const double *control, double *f, double *misses, double *residuals);

/* Must be called before entering a library and after returning from it. This ensures that all reads of the problem
 * happen before the owner may free it, and that an abandoned run does not return from the library to its caller. */
void ctl_local_pass(CtlLocal *local);

#endif
