/* SPDX-License-Identifier: BSD-2-Clause */
/* State of a search that is the same for all methods: the current penalty, the best point, the points of the round, and
 * the outcomes (results of evaluations) of all points. A round is a set of points that are evaluated together. */
#ifndef CONTROL_OBJECTIVE_H
#define CONTROL_OBJECTIVE_H

#include "control/base/bytes.h"
#include "control/outcome/cache.h"
#include "control/outcome/penalty.h"

/* A point and its outcome. */
typedef struct CtlCandidate {
  double *control; /* [n] control; owned, in one allocation with x and v */
  double *x;       /* [d] final position x(T); NAN if the point has not been evaluated or the evaluation failed */
  double *v;       /* [d] final velocity x'(T) */
  double J;
} CtlCandidate;

#define CTL_OUTSIDE (-1L)

typedef struct CtlObjective {
  const CtlProblem *problem; /* borrowed */
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state; /* state of the search, without its pointers; counts and edge are those of the last round */

  CtlCandidate best; /* the best point so far (incumbent); for parallel direct search it is the vertex v_0 */
  double merit;      /* merit of the incumbent; +inf if it has none */
  bool has_bar;      /* whether for SQP a point that meets the target is better only if its merit is below `bar` */
  double bar;
  bool begun;        /* whether the initial point has been evaluated */
  bool improved;     /* whether the last round has changed the incumbent */
  CtlCandidate kept; /* best point of an earlier part of the search. The better one of it and the incumbent is the
                      * result */
  bool keeps;        /* whether `kept` holds a point */
  bool kept_better;  /* whether `kept` is better than the incumbent */
  bool cut;  /* whether a local method has been ended, since its start, by its limit of points or by a full cache */
  bool hung; /* whether a local method has failed to return from its library in time */

  long room;      /* capacity of the arrays `entries` and `merits` */
  long points;    /* number of points in the round */
  long *entries;  /* [points] cache entry of each point; CTL_OUTSIDE if the point is out of bounds */
  double *merits; /* [points] merits (values of the penalty function); +inf for failed points and points out of
                   * bounds */
  long inside;    /* number of points within the bounds */
  /* Index of the first cache entry to simulate. The entries first .. first + fresh - 1 are simulated, in the order
   * of the points. */
  long first;
  long fresh;
  /* Number of entries to simulate that stay in the cache. The other entries to simulate are points with derivatives or
   * with another motion. They belong to the current round alone, and are removed from the cache when the round is
   * complete. The next round overwrites `wants` and `rows`. */
  long cached;
  CtlWant *wants; /* [room] what to evaluate at each entry that belongs to the current round alone */
  double *rows;   /* [rows_room][m][ctl_row_size of n] derivatives of each of these entries, in the layout of
                   * CtlOutcome.rows */
  long rows_room;
} CtlObjective;

/* Initialises an objective with unknown candidates, without cache and arrays. Returns false when out of memory; the
 * objective must be cleared then, too. */
bool ctl_objective_init(CtlObjective *objective, const CtlProblem *problem);
void ctl_objective_clear(CtlObjective *objective);

/* Allocates arrays for `points` points. Returns false if memory is lacking; the old arrays are then unchanged. */
bool ctl_objective_resize(CtlObjective *objective, long points);

/* Allocates derivatives for up to `points` points of a round that are not cached. Returns false when out of memory. */
bool ctl_objective_reserve_rows(CtlObjective *objective, long points);

/* Returns the number of doubles in the derivatives of a point. */
size_t ctl_objective_row_numbers(const CtlProblem *problem, CtlWant want);

/* Returns what must be evaluated at point k. */
CtlWant ctl_objective_want(const CtlObjective *objective, long k);

/* Returns the derivatives of point k, in the layout of CtlOutcome. NULL: derivatives were not requested, or the point
 * is out of bounds or failed. */
const double *ctl_objective_rows(const CtlObjective *objective, long k);

/* Stores the derivatives of a cache entry that was simulated with derivatives. */
void ctl_objective_keep_rows(CtlObjective *objective, long entry, const double *rows);

/* Adds an entry that must be simulated and belongs to the current round alone. Returns its index. The arrays must be
 * large enough for the entry and its derivatives. */
long ctl_objective_add(CtlObjective *objective, const double *control, CtlWant want);

/* Removes those entries from the cache that belong to the current round alone. */
void ctl_objective_end_round(CtlObjective *objective);

/* Resets the objective. The incumbent becomes the problem's start; its outcome is still unknown. The penalty gets its
 * initial parameters, but rho >= CTL_RHO_MAX for a method with constraints. */
void ctl_objective_begin(CtlObjective *objective, bool constrained);

/* Stores the best point of one part of the search in `kept`, and begins another part with a new incumbent. */
void ctl_objective_keep(CtlObjective *objective);

/* Counts the evaluated points of the round, except those that timed out, and computes their merits (values of the
 * penalty function). All other points get the merit +inf. */
void ctl_objective_score(CtlObjective *objective);

/* Makes an entry the incumbent. ctl_objective_centre must be called afterwards. */
void ctl_objective_set_incumbent(CtlObjective *objective, long entry);

/* Makes the incumbent the centre of the penalty (penalty.h), recomputes its merit from its stored outcome, and copies
 * the result of the search so far to the state. */
void ctl_objective_centre(CtlObjective *objective);

/* Makes the best point of the round the incumbent if it is better; of several equally good points the first is used.
 * Points of other motions are ignored. */
void ctl_objective_improve(CtlObjective *objective);

double ctl_objective_merit(const CtlObjective *objective,
                           /* returns the merit of an entry by the current penalty; +inf if the entry failed or its
                            * merit is not finite */
                           long entry);
/* returns whether E1 and E2 of the incumbent are at most `error` */
bool ctl_objective_meets(const CtlObjective *objective, double error);
/* returns the error of the final state that the search tries to reach */
double ctl_objective_wanted(const CtlProblem *problem);
const CtlCandidate *ctl_objective_answer(const CtlObjective *objective);

void ctl_penalty_serialize(CtlPenalty *penalty, CtlBytes *bytes);

/* Writes or reads the penalty, the candidates and the counts; the outcomes in the cache are not included. Reading is
 * safe against any bytes (bytes->bad). */
void ctl_objective_serialize(CtlObjective *objective, CtlBytes *bytes);

#endif
