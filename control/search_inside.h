/* The insides of a search, for those who save and load it. */
#ifndef CONTROL_SEARCH_INSIDE_H
#define CONTROL_SEARCH_INSIDE_H

#include "control/cache.h"
#include "control/pds.h"
#include "control/penalty.h"

struct CtlSearch {
  const CtlProblem *problem;
  CtlTemplate scheme;
  CtlPds pds;
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state;        /* but for its pointers; counts and edge as of the last simplex */
  double seconds_before; /* told to the run that was saved; state.seconds includes them */
  double *best_u;        /* [n] v_0; owned, with the next two in one block */
  double *best_x;        /* [d] NAN when it failed */
  double *best_v;        /* [d] */
  double best_J;

  /* The points at work: the vertices of a first simplex (opening), or a simplex's scheme. A ticket is the number of a
   * simulation: state.ivps + its place among the wanted. */
  bool opening;
  long points;    /* n+1 when opening, else s */
  long *entries;  /* [points] cache entry of each point, OUTSIDE the bounds */
  double *merits; /* [points] */
  long inside;    /* points within the bounds */
  long first;     /* the entries to simulate are first .. first + wanted - 1, in the order of the points */
  long wanted, told;
  long next;    /* place among the wanted from which ask goes on */
  long unasked; /* places from there on whose outcome is not known: after loading some are */
};

/* Lays out the points of the next simplex, or of the opening. */
void ctl_search_plan(CtlSearch *search);

/* The arrays that go with a scheme of this size. Returns false when out of memory; what was there stays as it was. */
bool ctl_search_resize(CtlSearch *search, long size);

/* The largest scheme that a restart may take. */
long ctl_search_size_max(const CtlSearch *search);

#endif
