/* The inside of a CtlSearch, for the files that it is made of: search.c (points out and in, the order of things),
 * search_pds.c (the simplex), search_local.c (local methods), search_save.c. */
#ifndef CONTROL_SEARCH_INSIDE_H
#define CONTROL_SEARCH_INSIDE_H

#include "control/cache.h"
#include "control/local.h"
#include "control/pds.h"
#include "control/pds_template_store.h"
#include "control/penalty.h"
#include "control/stop.h"

/* What the points at work are. */
typedef enum CtlStage {
  CTL_STAGE_OPENING, /* the vertices of a first simplex */
  CTL_STAGE_SIMPLEX, /* a simplex's scheme */
  CTL_STAGE_LOCAL    /* the next point of each local method */
} CtlStage;

struct CtlSearch {
  const CtlProblem *problem;
  const CtlTemplate *scheme; /* of ctl_template_take; given back at the end */
  CtlPds pds;
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state;        /* but for its pointers; counts and edge as of the last simplex */
  double seconds_before; /* told to the run that was saved; state.seconds includes them */
  double *best_u;        /* [n] v_0; owned, with the next two in one block */
  double *best_x;        /* [d] NAN when it failed */
  double *best_v;        /* [d] */
  double best_J;

  CtlLocal *locals; /* [CTL_LOCALS]; owned, NULL for CTL_METHOD_PDS */
  int n_locals;     /* of them, in this stage */
  int handovers;    /* hybrid: from PDS to local methods so far */
  bool contracted;  /* the last simplex has found nothing better */
  bool proving;     /* hybrid: PDS is at a local answer that meets the target */

  /* A ticket is the number of a simulation: state.ivps + its place among the wanted. */
  CtlStage stage;
  long points;    /* n+1 at an opening, s of a simplex, the local methods that still run */
  long *entries;  /* [points] cache entry of each point, CTL_OUTSIDE the bounds */
  double *merits; /* [points] */
  long inside;    /* points within the bounds */
  long first;     /* the entries to simulate are first .. first + wanted - 1, in the order of the points */
  long wanted, told;
  long next;    /* place among the wanted from which ask goes on */
  long unasked; /* places from there on whose outcome is not known: after loading some are */
};

#define CTL_OUTSIDE (-1L)

/* search.c */
void ctl_search_plan(CtlSearch *search);                      /* lays out the points of the stage */
double ctl_search_merit(const CtlSearch *search, long entry); /* +inf: failed, or a value that is not finite */
void ctl_search_adopt(CtlSearch *search, long entry);         /* makes an entry the best point */
void ctl_search_centre(CtlSearch *search);     /* makes the best point the penalty's centre and re-forms its merit */
void ctl_search_begin(CtlSearch *search);      /* before the first merit: the first point, the start, is the centre */
void ctl_search_take_stock(CtlSearch *search); /* counts what has come and forms the merit of every point */
bool ctl_search_target_met(const CtlSearch *search);

/* search_pds.c */
bool ctl_search_resize(CtlSearch *search, long size); /* arrays that go with the scheme; false: no memory, as before */
long ctl_search_size_max(const CtlSearch *search);    /* the largest scheme that a restart may take */
long ctl_search_restart_size(const CtlSearch *search);
bool ctl_search_restart(CtlSearch *search, long size);  /* false: no memory */
void ctl_search_reopen(CtlSearch *search, double edge); /* a simplex of the first's shape at the best point */
void ctl_search_finish_opening(CtlSearch *search);
void ctl_search_finish_simplex(CtlSearch *search);

/* search_local.c */
void ctl_search_start_local(CtlSearch *search); /* from the start, or, of a restart or hand-over, the best points */
bool ctl_search_next_local(CtlSearch *search);  /* whether some method wants a point; lays out locals and n_locals */
void ctl_search_finish_local(CtlSearch *search);
bool ctl_search_hands_over(const CtlSearch *search);

#endif
