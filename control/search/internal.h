/* The inside of a CtlSearch, for the files that it is made of: search.c (points out and in, the order of things),
 * search_pds.c (the simplex), search_local.c (local methods), search_hybrid.c (both in turn), search_save.c. */
#ifndef CONTROL_SEARCH_INSIDE_H
#define CONTROL_SEARCH_INSIDE_H

#include "control/local/local.h"
#include "control/outcome/cache.h"
#include "control/outcome/penalty.h"
#include "control/outcome/termination.h"
#include "control/pds/pds.h"
#include "control/pds/template_store.h"

/* What the points at work are. */
typedef enum CtlStage {
  CTL_STAGE_OPENING, /* the vertices of a first simplex */
  CTL_STAGE_SIMPLEX, /* a simplex's scheme */
  CTL_STAGE_LOCAL    /* the next point of each local method */
} CtlStage;

/* A point found, and its outcome. */
typedef struct CtlFound {
  double *u; /* [n] owned, with the next two in one block */
  double *x; /* [d] NAN when it failed, or is not known yet */
  double *v; /* [d] */
  double J;
} CtlFound;

struct CtlSearch {
  const CtlProblem *problem;
  const CtlTemplate *scheme; /* of ctl_template_take; given back at the end */
  CtlPds pds;
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state;        /* but for its pointers; counts and edge as of the last simplex */
  double seconds_before; /* told to the run that was saved; state.seconds includes them */
  CtlFound best;         /* v_0 of PDS; the best point of local methods */
  double merit;          /* its merit; +inf when it has none */
  bool begun;            /* its outcome is known: that of the start at least */

  CtlLocal *locals[CTL_LOCALS_MAX]; /* [n_locals] that run, each of them owned */
  int n_locals;
  bool cut;        /* one of them was, by CTL_LOCAL_MOST or by a full cache, since they were started */
  bool lost;       /* one has been, in this process: its thread may hold what others would wait for */
  int handovers;   /* hybrid: from PDS to local methods so far */
  int patience;    /* simplexes to come before local methods may have their turn; 0 once one has found nothing better */
  bool proving;    /* hybrid: its second part is under way, PDS alone from the start */
  CtlFound answer; /* of the first part */
  bool answer_best; /* the answer is better than what PDS alone has found so far */

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

/* Whether local methods take part. */
static inline bool ctl_search_has_local(const CtlProblem *problem) { return problem->method != CTL_METHOD_PDS; }

/* search.c */
void ctl_search_plan(CtlSearch *search);                      /* lays out the points of the stage */
double ctl_search_merit(const CtlSearch *search, long entry); /* +inf: failed, or a value that is not finite */
void ctl_search_adopt(CtlSearch *search, long entry);         /* makes an entry the best point */
void ctl_search_centre(CtlSearch *search);     /* makes the best point the penalty's centre, and re-forms the state */
void ctl_search_begin(CtlSearch *search);      /* before the first merit: the first point, the start, is the centre */
void ctl_search_take_stock(CtlSearch *search); /* counts what has come and forms the merit of every point */
/* The scheme, and an empty cache with room for it, and for local methods; false: no memory */
bool ctl_search_equip(CtlSearch *search, long size, bool with_locals);
double ctl_search_found_merit(const CtlSearch *search, const CtlFound *found);         /* by the penalty in force */
bool ctl_search_meets(const CtlProblem *problem, const CtlFound *found, double error); /* E1, E2 <= error */
double ctl_search_wanted_error(const CtlProblem *problem); /* what the target is to be met to, if it can be */
bool ctl_search_best_meets(const CtlSearch *search, double error);

/* search_pds.c */
bool ctl_search_resize(CtlSearch *search, long size); /* arrays that go with the scheme; false: no memory, as before */
long ctl_search_size_max(const CtlSearch *search);    /* the largest scheme that a restart may take */
long ctl_search_restart_size(const CtlSearch *search);
void ctl_search_start_pds(CtlSearch *search);           /* at the problem's start */
bool ctl_search_restart(CtlSearch *search, long size);  /* false: no memory */
void ctl_search_reopen(CtlSearch *search, double edge); /* a simplex of the first's shape at the best point */
void ctl_search_finish_opening(CtlSearch *search);
void ctl_search_finish_simplex(CtlSearch *search);

/* search_local.c */
void ctl_search_start_local(CtlSearch *search); /* the problem's method, from the best point */
void ctl_search_add_local(CtlSearch *search, CtlMethod method, const double *u, double step);
bool ctl_search_next_local(CtlSearch *search);    /* whether some method wants a point; drops those that have ended */
bool ctl_search_restart_local(CtlSearch *search); /* likewise, from the best point with a quarter of the step */
void ctl_search_stop_local(CtlSearch *search);    /* drops them all, wherever they stand */
void ctl_search_finish_local(CtlSearch *search);

/* search_hybrid.c */
bool ctl_hybrid_takes(const CtlProblem *problem, CtlMethod method); /* as one of its local methods */
int ctl_hybrid_starts(const CtlSearch *search);                     /* of local methods side by side, at most */
void ctl_hybrid_change_stage(CtlSearch *search);                    /* between simplexes and local methods */
bool ctl_hybrid_prove(CtlSearch *search, long size);                /* begins its second part; false: no memory */
bool ctl_hybrid_answer_is_better(const CtlSearch *search);

#endif
