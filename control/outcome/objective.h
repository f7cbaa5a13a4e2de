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
  double *control; /* [n] control; owned, in one block with the next two */
  double *x;       /* [d] final position x(T); NAN if the point has not been evaluated or the evaluation failed */
  double *v;       /* [d] */
  double J;
} CtlCandidate;

#define CTL_OUTSIDE (-1L)

typedef struct CtlObjective {
  const CtlProblem *problem; /* borrowed */
  CtlPenalty penalty;
  CtlCache cache;
  CtlState state; /* state of the search, without its pointers; counts and edge are those of the last round */

  CtlCandidate best; /* the best point (incumbent); for parallel direct search it is the vertex v_0 */
  double merit;      /* merit of the incumbent; +inf if it has none */
  bool has_bar;      /* whether for SQP a point that meets the target is better only if its merit is below `bar` */
  double bar;
  bool begun;        /* whether the initial point has been evaluated */
  bool improved;     /* whether the last round has changed the incumbent */
  CtlCandidate kept; /* best answer of an earlier part of the search. The better one of it and the incumbent is the
                      * answer */
  bool keeps;        /* whether `kept` has an answer */
  bool kept_better;  /* whether `kept` is better than the incumbent */
  bool cut;  /* whether a local method has been ended, since its start, by its limit of points or by a full cache */
  bool hung; /* whether a local method has failed to return from its library in time */

  long room;      /* capacity of the next two arrays */
  long points;    /* number of points in the round */
  long *entries;  /* [points] cache entry of each point; CTL_OUTSIDE if the point is out of bounds */
  double *merits; /* [points] merits; +inf for failed points and points out of bounds */
  long inside;    /* number of points within the bounds */
  /* Index of the first cache entry to simulate. The entries first .. first + fresh - 1 are simulated, in the order
   * of the points. */
  long first;
  long fresh;
  /* Number of entries to simulate that stay in the cache. The other entries are points with derivatives or with another
   * motion. They belong to the current round alone, and leave the cache when the round is complete. The next round
   * resets wants and rows. */
  long cached;
  CtlWant *wants; /* [room] what to evaluate at each entry that belongs to the current round alone */
  double *rows;   /* [rows_room][m][ctl_row_size of n] derivatives of each of these entries, as in CtlOutcome.rows */
  long rows_room;
} CtlObjective;

/* Initialises an objective with unknown candidates, without cache and arrays. Returns false when out of memory; clear
 * the objective then, too. */
bool ctl_objective_init(CtlObjective *objective, const CtlProblem *problem);
void ctl_objective_clear(CtlObjective *objective);

/* Allocates arrays for `points` points. If it returns false, memory is lacking and the old arrays are unchanged. */
bool ctl_objective_resize(CtlObjective *objective, long points);

/* Allocates derivatives for up to `points` points of a round that are not cached. Returns false when out of memory. */
bool ctl_objective_reserve_rows(CtlObjective *objective, long points);

/* Number of doubles in a point's derivatives. */
size_t ctl_objective_row_numbers(const CtlProblem *problem, CtlWant want);

/* Returns what must be evaluated at point k. */
CtlWant ctl_objective_want(const CtlObjective *objective, long k);

/* Returns the derivatives of point k, as in CtlOutcome. NULL: they were not requested, the point is out of bounds, or
 * it failed. */
const double *ctl_objective_rows(const CtlObjective *objective, long k);

/* Stores the derivatives of a cache entry that was simulated with derivatives. */
void ctl_objective_keep_rows(CtlObjective *objective, long entry, const double *rows);

/* Adds an entry, to be simulated, that belongs to the current round alone. Returns its index. The arrays must have room
 * for it and its derivatives. */
long ctl_objective_add(CtlObjective *objective, const double *control, CtlWant want);

/* Removes those entries from the cache that belong to the current round alone. */
void ctl_objective_end_round(CtlObjective *objective);

/* Resets the objective. The incumbent is the problem's start; its outcome is still unknown. The penalty has its
 * initial parameters, but rho >= CTL_RHO_MAX for a method with constraints. */
void ctl_objective_begin(CtlObjective *objective, bool constrained);

/* Stores the best answer of one part of the search, and begins another part with a new incumbent. */
void ctl_objective_keep(CtlObjective *objective);

/* Counts the evaluated points of the round, except those that timed out, and computes their merits (values of the
 * penalty function). The merit of all other points is +inf. */
void ctl_objective_score(CtlObjective *objective);

/* Makes an entry the incumbent. Call ctl_objective_centre afterwards. */
void ctl_objective_set_incumbent(CtlObjective *objective, long entry);

/* Makes the incumbent the penalty's centre (penalty.h), recomputes its merit from its stored outcome, and copies the
 * answer to the state. */
void ctl_objective_centre(CtlObjective *objective);

/* Makes the best point of the round the incumbent if it is better; of several equally good points the first counts.
 * Points of other motions do not count. */
void ctl_objective_improve(CtlObjective *objective);

double ctl_objective_merit(const CtlObjective *objective,
                           /* returns the merit of an entry by the current penalty; +inf if it failed or is not
                            * finite */
                           long entry);
/* returns whether E1 and E2 of the incumbent are at most `error` */
bool ctl_objective_meets(const CtlObjective *objective, double error);
/* returns the error of the target below which the search tries to go */
double ctl_objective_wanted(const CtlProblem *problem);
const CtlCandidate *ctl_objective_answer(const CtlObjective *objective);

void ctl_penalty_serialize(CtlPenalty *penalty, CtlBytes *bytes);

/* Writes or reads the penalty, the candidates and the counts; the outcomes in the cache are not included. Reading is
 * safe against any bytes (bytes->bad). */
void ctl_objective_serialize(CtlObjective *objective, CtlBytes *bytes);

#endif
