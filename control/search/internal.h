/* The inside of a CtlSearch: search.c hands points out and takes outcomes in, save.c keeps it. */
#ifndef CONTROL_SEARCH_INTERNAL_H
#define CONTROL_SEARCH_INTERNAL_H

#include "control/search/methods.h"

enum { CTL_SEARCH_BLOCK = 64 };

struct CtlSearch {
  CtlObjective objective;
  CtlRun *run;           /* of the problem's method */
  double *block;         /* [CTL_SEARCH_BLOCK][n] owned: points as they are laid out */
  bool works;            /* the method has something to work out before its next points are known */
  double seconds_before; /* told to the run that was saved; state.seconds includes them */

  /* A ticket is the number of a simulation: state.ivps + its place among the fresh points. */
  long told;
  long next;    /* place among the fresh from which ask goes on */
  long unasked; /* places from there on whose outcome is not known: after loading some are */
  /* Places before which all outcomes are known, as far as has been looked, and how many of these simulations took too long. */
  long passed, passed_long;
};

void ctl_search_plan(CtlSearch *search, long points); /* lays out the points that the run has at work */

#endif
