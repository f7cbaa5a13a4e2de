#ifndef CONTROL_SEARCH_HYBRID_H
#define CONTROL_SEARCH_HYBRID_H

#include "control/outcome/method.h"

enum { CTL_HYBRID_LOCALS = 3 * CTL_SIMPLEX_CONTROLS_MAX }; /* a point each of a round, which has 3n */

/* The state of a run of hybrid. */
typedef struct CtlHybridRun {
  CtlRun run;
  CtlProblem part;                   /* the problem with the first part's size of simplexes */
  CtlRun *pds;                       /* owned, as the next */
  CtlRun *locals[CTL_HYBRID_LOCALS]; /* [n_locals] that run side by side */
  int n_locals;
  bool local;     /* their turn it is */
  int handovers;  /* to them so far */
  int patience;   /* simplexes to come before their turn; 0 once one has found nothing better */
  bool verifying; /* the second part is under way, PDS alone from the start */
  bool loaded;    /* and has not gone on yet */
} CtlHybridRun;

#endif
