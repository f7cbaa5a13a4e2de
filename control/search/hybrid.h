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
  bool local;     /* whether the local methods have their turn */
  int handovers;  /* number of turns that local methods have had */
  int patience;   /* number of simplexes before their next turn; 0 after a simplex that found nothing better */
  bool verifying; /* whether the second part is running, which is PDS alone from the start */
  bool loaded;    /* whether the state was loaded and the run has not continued yet */
} CtlHybridRun;

#endif
