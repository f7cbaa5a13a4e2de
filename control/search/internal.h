/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of CtlSearch: search.c hands out points and accepts outcomes, save.c serialises the search. */
#ifndef CONTROL_SEARCH_INTERNAL_H
#define CONTROL_SEARCH_INTERNAL_H

#include "control/search/methods.h"

/* maximum number of points in `block` */
enum { CTL_SEARCH_BLOCK = 64 };

struct CtlSearch {
  CtlObjective objective;
  CtlRun *run;           /* run of the problem's method */
  double *block;         /* [CTL_SEARCH_BLOCK][n] buffer for the points of a round; owned */
  bool works;            /* whether the method must compute before its next points are known (ctl_search_works) */
  double seconds_before; /* duration of the search before a resume, in s, which state.seconds includes */

  /* number of outcomes known before the round. The ticket of a point that must be simulated is state.ivps at the
   * beginning of the round plus the index of the point among these points */
  long known;
  long next;    /* index, among the round's points that must be simulated, of the next point to hand out */
  long unasked; /* number of points, from index `next` on, that have no outcome; after loading, some points after `next`
                 * already have one */
  /* passed: number of leading simulations that have outcomes and have been checked for the limit of work. passed_long:
   * number of those that exceeded this limit. */
  long passed, passed_long;
};

void ctl_search_plan(CtlSearch *search, long points); /* sets up the points of the run's current round */

#endif
