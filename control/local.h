/* Local methods of libraries that call back for values, NLopt's and TAO's, behind ask and tell. A method is run from
 * its start anew for each point, and given known values from the cache until it wants one that is not known: that point
 * is then asked for. The methods are deterministic, so it is the run that a plain call would be; there is no state but
 * the start and the cache, and no thread. Of K evaluations, K^2/2 are looked up: well below the cost of simulating. */
#ifndef CONTROL_LOCAL_H
#define CONTROL_LOCAL_H

#include "control/cache.h"
#include "control/penalty.h"

enum {
  CTL_LOCALS = 2,       /* methods side by side */
  CTL_LOCAL_MOST = 1000 /* evaluations of one run: what keeps looking up cheap */
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
  bool wants;                      /* whether it wants one */
  bool ended;                      /* it will want no more */
  bool no_memory;                  /* for that reason */
} CtlLocal;

/* Runs the method as far as its values are known: sets wants and wanted, or ended. */
void ctl_local_run(CtlLocal *local);

/* For the methods' callbacks. The cache entry of a point, moved into the bounds; -1 when it is not known: the first
 * such point of a run is the wanted one, and the run must then be given up. u: [n]. */
long ctl_local_look(CtlLocal *local, const double *u);

double ctl_local_J(const CtlLocal *local, long entry);
double ctl_local_merit(const CtlLocal *local, long entry); /* P or Pi_K; finite */
int ctl_local_misses(const CtlProblem *problem);           /* targets given */
/* x(T) - x_T, x'(T) - v_T where given: misses [ctl_local_misses]. */
void ctl_local_miss(const CtlLocal *local, long entry, double *misses);

/* local_nlopt.c: COBYLA and AUGLAG (with BOBYQA inside) minimise J subject to x(T) = x_T, x'(T) = v_T; BOBYQA and SBPLX
 * minimise the penalty function. */
void ctl_local_nlopt(CtlLocal *local);

/* local_tao.c: POUNDERS, least squares of (x(T) - x_T, x'(T) - v_T, w sqrt J), w = 1e-5. */
void ctl_local_tao(CtlLocal *local);

#endif
