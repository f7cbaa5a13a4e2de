/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_SEARCH_HYBRID_H
#define CONTROL_SEARCH_HYBRID_H

#include "control/outcome/method.h"

/* maximum number of local methods. Each method evaluates one point of a round, and a round of a problem with n
 * variables has 3n points */
enum { CTL_HYBRID_LOCALS = 3 * CTL_SIMPLEX_CONTROLS_MAX };

/* State of a run of the method `hybrid`. */
typedef struct CtlHybridRun {
  CtlRun run;
  CtlProblem part;                   /* copy of the problem with the simplex size of the first part */
  CtlRun *pds;                       /* run of the method PDS; owned, like the runs `locals` */
  CtlRun *locals[CTL_HYBRID_LOCALS]; /* [n_locals] runs of local methods, which are in progress at the same time */
  int n_locals;
  bool local;     /* whether the local methods are running at present, instead of PDS */
  int handovers;  /* number of times that PDS has been replaced by local methods for a while */
  int patience;   /* number of simplexes of PDS until local methods run again; 0 after a simplex without a better
                   * point */
  bool verifying; /* whether the second part of the search is running: the method PDS alone, from the start */
  bool loaded;    /* whether the state has just been loaded and the run has not yet continued */
} CtlHybridRun;

#endif
