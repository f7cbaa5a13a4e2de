/* Local methods of libraries that call back for values, NLopt's and TAO's, behind ask and tell: each is a coroutine that
 * waits in its callback until the outcome of the point that it wants is in the cache. The methods are deterministic, so
 * one that is run anew from its start goes the same way, at once where the cache knows it: a saved run is its start. */
#ifndef CONTROL_LOCAL_H
#define CONTROL_LOCAL_H

#include "control/local/coroutine.h"
#include "control/outcome/cache.h"
#include "control/outcome/penalty.h"

enum {
  CTL_LOCAL_MOST = 100000, /* evaluations of one run, known ones included: POUNDERS takes memory for them */
  CTL_LOCAL_SECONDS = 20   /* of processor time without a new point: then it is taken to go round for ever */
};

/* What stands for each miss of a failed evaluation: far off, yet finite, for the methods fit models to it. */
#define CTL_LOCAL_FAILED 1e6

typedef struct CtlLocal {
  const CtlProblem *problem; /* borrowed, as the cache */
  CtlCache *cache;
  CtlMethod method;
  CtlPenalty penalty; /* as it was at the start: values must not change while the method runs */
  double step;        /* its first step, N */
  double start[CTL_CONTROLS_MAX];
  double wanted[CTL_CONTROLS_MAX]; /* the point that it wants */
  long newest;                     /* of the cache entries that it has found; -1: none */
  bool over;                       /* its run must be given up: there are no more values for it */
  bool ended;                      /* it wants none */
  bool cut;                        /* by CTL_LOCAL_MOST */
  bool no_memory;                  /* for that reason */
  bool failed;                     /* for an error that its library has told, or because it is lost */
  bool lost;                       /* it has not come back from its library */
  CtlCoroutine *run;               /* owned; NULL before it has begun */
} CtlLocal;

/* Runs the method from its start, or on with the outcome of `wanted`, which must be in the cache, to the next point that
 * is not in the cache, or to its end. */
void ctl_local_run(CtlLocal *local);

/* A method that has not begun; penalty, step and start are to be set. NULL when out of memory. Destroyed wherever it
 * stands. */
CtlLocal *ctl_local_create(const CtlProblem *problem, CtlCache *cache, CtlMethod method);
void ctl_local_destroy(CtlLocal *local);

/* For the methods' callbacks. The cache entry of a point, moved into the bounds, whose outcome is known, be it after a
 * wait; -1 when the run must be given up. u: [n]. */
long ctl_local_look(CtlLocal *local, const double *u);

double ctl_local_J(const CtlLocal *local, long entry);
double ctl_local_merit(const CtlLocal *local, long entry); /* P or Pi_K; finite */
bool ctl_local_is_constrained(CtlMethod method);           /* whether it takes the target as it is, not the penalty */
int ctl_local_misses(const CtlProblem *problem);           /* targets given */
/* x(T) - x_T, x'(T) - v_T where given: misses [ctl_local_misses]. */
void ctl_local_miss(const CtlLocal *local, long entry, double *misses);

/* local_nlopt.c: COBYLA and AUGLAG (with BOBYQA inside) minimise J subject to x(T) = x_T, x'(T) = v_T; BOBYQA and SBPLX
 * minimise the penalty function. */
void ctl_local_nlopt(CtlLocal *local);

/* local_tao.c: POUNDERS, least squares of (x(T) - x_T, x'(T) - v_T, w sqrt J), w = 1e-5. */
void ctl_local_tao(CtlLocal *local);

#endif
