#ifndef CONTROL_SEARCH_HYBRID_H
#define CONTROL_SEARCH_HYBRID_H

#include "control/outcome/method.h"

/* maximum number of local methods; each has one of the 3n points of a round */
enum { CTL_HYBRID_LOCALS = 3 * CTL_SIMPLEX_CONTROLS_MAX };

/* State of a run of hybrid. */
typedef struct CtlHybridRun {
  CtlRun run;
  CtlProblem part;                   /* the problem with the first part's simplex size */
  CtlRun *pds;                       /* owned, like the next */
  CtlRun *locals[CTL_HYBRID_LOCALS]; /* [n_locals] local methods that run side by side */
  int n_locals;
  bool local;     /* the local methods have their turn */
  int handovers;  /* number of turns given to them so far */
  int patience;   /* simplexes before their next turn; 0 once a simplex found nothing better */
  bool verifying; /* the second part, PDS alone from the start, is running */
  bool loaded;    /* the state was loaded, and the run has not continued yet */
} CtlHybridRun;

#endif
