/* State shared by the methods of a search: the current penalty, all known outcomes, the best point, and the points
 * of the round. */
#ifndef CONTROL_OBJECTIVE_H
#define CONTROL_OBJECTIVE_H

#include "control/base/bytes.h"
#include "control/outcome/cache.h"
#include "control/outcome/penalty.h"

/* A point and its outcome. */
typedef struct CtlCandidate {
  double *control; /* [n] owned, in one block with the next two */
  double *x;       /* [d] NAN if it failed or is unknown */
  double *v;       /* [d] */
  double J;
} CtlCandidate;

#define CTL_OUTSIDE (-1L)

typedef struct CtlObjective {
  const CtlProblem *problem; /* borrowed */
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state; /* without its pointers; counts and edge as of the last round */

  CtlCandidate best; /* the incumbent: v_0 of PDS, the best point for other methods */
  double merit;      /* merit of the incumbent; +inf if it has none */
  bool begun;        /* an outcome is known, at least that of the start */
  bool improved;     /* the last round has changed it */
  CtlCandidate kept; /* answer of a part that has ended; it competes with the incumbent */
  bool keeps;        /* there is a kept answer */
  bool kept_better;  /* the kept answer is better than the incumbent */
  bool cut;          /* a local method was ended by its limit of points or a full cache, since its start */
  bool hung;         /* a local method has not returned from its library in time */

  long room;      /* capacity of the next two */
  long points;    /* number of points of the round */
  long *entries;  /* [points] cache entry of each, or CTL_OUTSIDE if out of bounds */
  double *merits; /* [points] +inf for failed points and those out of bounds */
  long inside;    /* number of points within the bounds */
  long first;     /* the entries to simulate are first .. first + fresh - 1, in the order of the points */
  long fresh;
  /* Number of these that go to the cache. The others, one per point, belong to the round alone, since they have
   * derivatives or another motion. They leave the cache when the round is complete; the next two are reset by the
   * following round. */
  long cached;
  CtlWant *wants; /* [room] what to evaluate at the entries of the round alone */
  double *rows;   /* [rows_room][m][ctl_row_size of n] derivatives of each of those, as CtlOutcome.rows */
  long rows_room;
} CtlObjective;

/* Initialises it with unknown candidates, without cache and arrays. Returns false when out of memory; clear it then,
 * too. */
bool ctl_objective_init(CtlObjective *objective, const CtlProblem *problem);
void ctl_objective_clear(CtlObjective *objective);

/* Allocates arrays for `points` points. Returns false when out of memory and leaves the old arrays. */
bool ctl_objective_resize(CtlObjective *objective, long points);

/* Allocates derivatives for so many points of a round that are not cached. Returns false when out of memory. */
bool ctl_objective_reserve_rows(CtlObjective *objective, long points);

/* Size of a point's derivatives, numbers. */
size_t ctl_objective_row_numbers(const CtlProblem *problem, CtlWant want);

/* Returns what must be evaluated at point k. */
CtlWant ctl_objective_want(const CtlObjective *objective, long k);

/* Derivatives of point k, as in CtlOutcome; NULL: not requested, out of bounds, or failed. */
const double *ctl_objective_rows(const CtlObjective *objective, long k);

/* Stores the derivatives of an entry for which they were requested. */
void ctl_objective_keep_rows(CtlObjective *objective, long entry, const double *rows);

/* Adds an entry to simulate that belongs to the round alone and returns it. There must be room for it and its rows. */
long ctl_objective_add(CtlObjective *objective, const double *control, CtlWant want);

/* Removes the round's own entries from the cache. */
void ctl_objective_end_round(CtlObjective *objective);

/* Resets: the incumbent is the problem's start, still unknown. The penalty has its initial parameters, but rho >=
 * CTL_RHO_MAX for a constrained method. */
void ctl_objective_begin(CtlObjective *objective, bool constrained);

/* Stores the answer so far and begins another part with its own incumbent. */
void ctl_objective_keep(CtlObjective *objective);

/* Counts the known points of the round, except timed-out ones, and computes their merits: +inf for others. */
void ctl_objective_score(CtlObjective *objective);

/* Makes an entry the incumbent. Call ctl_objective_centre afterwards. */
void ctl_objective_set_incumbent(CtlObjective *objective, long entry);

/* Makes the incumbent the penalty's centre, recomputes its merit from its stored outcome, and sets the state from
 * the answer. */
void ctl_objective_centre(CtlObjective *objective);

/* Makes the best point of the round the incumbent if it is better; of equal ones the first. Points of other motions
 * do not count. */
void ctl_objective_improve(CtlObjective *objective);

double ctl_objective_merit(const CtlObjective *objective,
                           long entry); /* merit of an entry by the current penalty; +inf: failed, not finite */
bool ctl_objective_meets(const CtlObjective *objective, double error); /* whether the incumbent has E1, E2 <= error */
double ctl_objective_wanted(const CtlProblem *problem); /* accuracy to which the target should be met, if possible */
const CtlCandidate *ctl_objective_answer(const CtlObjective *objective);

void ctl_penalty_serialize(CtlPenalty *penalty, CtlBytes *bytes);

/* Writes or reads penalty, candidates and counts, without outcomes; safe against any bytes (bytes->bad). */
void ctl_objective_serialize(CtlObjective *objective, CtlBytes *bytes);

#endif
