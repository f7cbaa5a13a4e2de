/* What the methods of a search share: the penalty in force, all outcomes known, the best point, and the points at work. */
#ifndef CONTROL_OBJECTIVE_H
#define CONTROL_OBJECTIVE_H

#include "control/base/bytes.h"
#include "control/outcome/cache.h"
#include "control/outcome/penalty.h"

/* A point and its outcome. */
typedef struct CtlCandidate {
  double *control; /* [n] owned, with the next two in one block */
  double *x;       /* [d] NAN when it failed, or is not known yet */
  double *v;       /* [d] */
  double J;
} CtlCandidate;

#define CTL_OUTSIDE (-1L)

typedef struct CtlObjective {
  const CtlProblem *problem; /* borrowed */
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state; /* but for its pointers; counts and edge as of the last round */

  CtlCandidate best; /* the incumbent: v_0 of PDS, the best point of other methods */
  double merit;      /* its merit; +inf when it has none */
  bool begun;        /* its outcome is known: that of the start at least */
  bool improved;     /* the points told last have changed it */
  CtlCandidate kept; /* the answer of a part that is over, which competes with the incumbent for being the answer */
  bool keeps;        /* there is one */
  bool kept_better;  /* it is the answer */
  bool cut;          /* a local method was, by its points or by a full cache, since it was started */
  bool hung;         /* one has not come back from its library in time */

  long room;      /* points that the next two have room for */
  long points;    /* at work */
  long *entries;  /* [points] cache entry of each, CTL_OUTSIDE the bounds */
  double *merits; /* [points] +inf of what failed or is outside */
  long inside;    /* points within the bounds */
  long first;     /* the entries to simulate are first .. first + fresh - 1, in the order of the points */
  long fresh;
  /* Of these so many are for the cache. Those behind, one for each of their points, are the round's alone, for they are wanted with
   * derivatives, or of another motion: gone from the cache when the round has been told, the next two when the next is laid out. */
  long cached;
  CtlWant *wants; /* [room] of those behind */
  double *rows;   /* [rows_room][m][ctl_row_size of n] room for each of those behind, as CtlOutcome.rows */
  long rows_room;
} CtlObjective;

/* Candidates without a value; no cache and no arrays yet. Returns false when out of memory (to be cleared, too). */
bool ctl_objective_init(CtlObjective *objective, const CtlProblem *problem);
void ctl_objective_clear(CtlObjective *objective);

/* Arrays for `points` points. Returns false when out of memory; what was there stays as it was. */
bool ctl_objective_resize(CtlObjective *objective, long points);

/* Room for the derivatives of so many points of a round that are not kept in the cache. Returns false when out of memory. */
bool ctl_objective_reserve_rows(CtlObjective *objective, long points);

/* Numbers of the derivatives of a point of which that is wanted. */
size_t ctl_objective_row_numbers(const CtlProblem *problem, CtlWant want);

/* What is wanted of point k. */
CtlWant ctl_objective_want(const CtlObjective *objective, long k);

/* The derivatives of point k, as of CtlOutcome; NULL: it has none, for it was wanted without, is out of bounds, or has failed. */
const double *ctl_objective_rows(const CtlObjective *objective, long k);

/* Keeps the derivatives of an entry of which they are wanted. */
void ctl_objective_keep_rows(CtlObjective *objective, long entry, const double *rows);

/* Another entry to simulate, which is the round's alone; there must be room for it and, if they are wanted, its rows. Returns it. */
long ctl_objective_add(CtlObjective *objective, const double *control, CtlWant want);

/* Those that are the round's alone leave the cache. */
void ctl_objective_end_round(CtlObjective *objective);

/* The incumbent is the problem's start, of which nothing is known yet; the penalty is as at the start, but with
 * rho >= CTL_RHO_MAX for a constrained method. */
void ctl_objective_begin(CtlObjective *objective, bool constrained);

/* The answer so far is kept, and another part begins, with an incumbent of its own. */
void ctl_objective_keep(CtlObjective *objective);

/* Counts the points at work whose outcomes are known, all but where time is up, and forms their merits: +inf of the others. */
void ctl_objective_score(CtlObjective *objective);

/* Makes an entry the incumbent. To be followed by ctl_objective_centre when that is all. */
void ctl_objective_set_incumbent(CtlObjective *objective, long entry);

/* Makes the incumbent the penalty's centre, re-forms its merit from its stored outcome, and the state from the answer. */
void ctl_objective_centre(CtlObjective *objective);

/* The best of the points at work becomes the incumbent if it is better; among equals the first. Points of other motions than
 * the problem's do not count. */
void ctl_objective_improve(CtlObjective *objective);

double ctl_objective_merit(const CtlObjective *objective,
                           long entry); /* by the penalty in force; +inf: failed, not finite */
bool ctl_objective_meets(const CtlObjective *objective, double error); /* the incumbent: E1, E2 <= error */
double ctl_objective_wanted(const CtlProblem *problem); /* what the target is to be met to, if it can be */
const CtlCandidate *ctl_objective_answer(const CtlObjective *objective);

void ctl_penalty_serialize(CtlPenalty *penalty, CtlBytes *bytes);

/* Penalty, candidates and counts, but not the outcomes, to bytes or from any bytes (bytes->bad). */
void ctl_objective_serialize(CtlObjective *objective, CtlBytes *bytes);

#endif
