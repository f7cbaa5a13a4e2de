#ifndef CONTROL_SEARCH_HYBRID_H
#define CONTROL_SEARCH_HYBRID_H

#include "control/outcome/method.h"

/* maximum number of local methods; each has one of the 3n points of a round */
enum { CTL_HYBRID_LOCALS = 3 * CTL_SIMPLEX_CONTROLS_MAX };

/* State of a run of hybrid. */
typedef struct CtlHybridRun {
  CtlRun run;
  CtlProblem part;                   /* copy of the problem with the simplex size of the first part */
  CtlRun *pds;                       /* run of PDS; owned, like the next */
  CtlRun *locals[CTL_HYBRID_LOCALS]; /* [n_locals] runs of local methods, side by side */
  int n_locals;
  bool local;     /* whether the local methods are running, not PDS */
  int handovers;  /* number of times that local methods have run */
  int patience;   /* number of simplexes until they run again; 0 after a simplex that found nothing better */
  bool verifying; /* whether the second part is running, which is PDS alone from the start */
  bool loaded;    /* whether the state has just been loaded and the run has not yet continued */
} CtlHybridRun;

#endif
