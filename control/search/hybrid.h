/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_SEARCH_HYBRID_H
#define CONTROL_SEARCH_HYBRID_H

#include "control/outcome/method.h"

/* maximum number of local methods; each evaluates one of the 3n points of a round, n variables */
enum { CTL_HYBRID_LOCALS = 3 * CTL_SIMPLEX_CONTROLS_MAX };

/* State of a run of the method `hybrid`. */
typedef struct CtlHybridRun {
  CtlRun run;
  CtlProblem part;                   /* copy of the problem with the simplex size of the first part */
  CtlRun *pds;                       /* run of the method PDS; owned, like the local runs */
  CtlRun *locals[CTL_HYBRID_LOCALS]; /* [n_locals] runs of local methods, side by side */
  int n_locals;
  bool local;     /* whether the local methods are running at present, instead of PDS */
  int handovers;  /* number of times that PDS has been replaced by local methods for a while */
  int patience;   /* number of simplexes of PDS until local methods run again; 0 after a simplex that found nothing
                   * better */
  bool verifying; /* whether the second part of the search is running, which is the method PDS alone from the start */
  bool loaded;    /* whether the state has just been loaded and the run has not yet continued */
} CtlHybridRun;

#endif
