/* SPDX-License-Identifier: BSD-2-Clause */
/* A stage of the method `auto`: the problem with L segments, solved by runs of SQP from several initial points. The
 * initial points are those of the stage itself and the results of stages with fewer segments.
 *
 * A larger number of initial points or of segments must never make the final result worse. For this purpose each run
 * has a rank. The rank is an ordinal, not an MPI rank: the smallest number of initial points with which the run exists.
 * The iterations of a run depend only on runs of lower rank. A run is ended early only because of results found before
 * it. Its result is passed on to stages with more segments if it is among the best of all results up to this run. So
 * all runs that exist with few initial points also exist with more. A stage does not depend on whether it is the last
 * one. */
#ifndef CONTROL_STAGE_H
#define CONTROL_STAGE_H

#include "control/auto/level.h"
#include "control/sqp/trail.h"

enum {
  /* maximum number of results that a stage passes on to stages with more segments: the first good ones and the best */
  CTL_CARRIED_MAX = 64
};

/* A result that is passed on to finer stages. */
typedef struct AutoAnswer {
  double *control;   /* [p L] control; storage owned by the CtlAnswers */
  long rank, starts; /* rank (an ordinal) and `starts` of the run that found the result; see CtlAttempt */
} AutoAnswer;

typedef struct CtlAnswers {
  int segments, count;
  AutoAnswer list[CTL_CARRIED_MAX];
  double *controls; /* [CTL_CARRIED_MAX][p L] controls; owned; NULL if the stage was skipped */
} CtlAnswers;

typedef enum CtlAttemptState { CTL_ATTEMPT_WAITS, CTL_ATTEMPT_RUNS, CTL_ATTEMPT_ENDED } CtlAttemptState;

enum {
  /* value of `start` for a run that begins at a result of a coarser stage or of this stage, or at the control that a
   * pattern query returns for such a result */
  CTL_START_CARRIED = -1,
  CTL_START_SEED = -2, /* value of `start` for a run that begins at the control of a queried pattern of stick and
                        * slip */
  CTL_SEEDS = 6,       /* default number of patterns that a stage queries */
  CTL_SEEDS_MAX = 64   /* maximum number of patterns that a stage queries, with many initial points */
};

/* A run of a stage, which is one attempt to find the minimum. */
typedef struct CtlAttempt {
  CtlTrail trail; /* state of the SQP iteration while the run is active */
  CtlAttemptState state;
  long start; /* index of the initial point among those of the stage itself, or CTL_START_SEED or CTL_START_CARRIED */
  /* motion that the run requests first: CTL_MOTION_FILE, or a pattern query, which returns a control. This control is
   * then the initial point of the run */
  CtlMotion motion;
  double asked; /* J of the control that the pattern query returned; NAN if there is no query, or no reply yet */
  long rank;    /* ordinal of the run, from 1 (not an MPI rank): the run exists if the stage has at least this number of
                 * initial points */
  long starts;  /* number of different initial points that led to this run's initial point; 1 for an initial point of
                 * the stage itself */
  /* J of the result that gave the pattern at the start of the run, if that result meets the target; otherwise 0 */
  double source;
  /* [p L] best point of the run so far: the one with the lowest merit among points that meet the targets or, if there
   * is none, the one with the smallest error; owned */
  double *best;
  double *from;           /* [p L] initial point of the run, in the same allocation as `best` */
  double J, merit, error; /* effort J, merit and error of the final state at the point `best`; merit is J + CTL_RHO_MAX
                           * error, or INFINITY before the first point */
} CtlAttempt;

typedef struct CtlStage {
  CtlLevel level;
  CtlSqpShared shared;
  CtlAttempt *attempts; /* [count] runs, ordered by rank; owned */
  int count;
  double *free; /* [p L] control that would meet the targets without friction; owned */
  bool free_known;
  long own;     /* number of initial points of the stage itself from which runs have been listed */
  int seeds;    /* number of patterns queried: 0, or from CTL_SEEDS to CTL_SEEDS_MAX */
  int improved; /* number of times that runs have been added from the patterns of this stage's results */
  int restarts; /* number of times that initial points have been added because no run met the target */
} CtlStage;

/* Initialises a stage with L segments and no runs. given [n]: initial control of the whole problem. Returns false when
 * out of memory; the stage must be cleared then, too. */
bool ctl_stage_init(CtlStage *stage, const CtlProblem *problem, int segments, const double *given);
void ctl_stage_clear(CtlStage *stage);

/* Whether a stage has several initial points of its own. It has if its number of segments is small, or has no divisor
 * that makes a useful coarser stage. */
bool ctl_stage_is_coarse(const CtlProblem *level);

/* Returns the number of initial points of the stage itself. alone: whether there is no other stage. again: if true, the
 * result is the number of additional initial points after no run has met the target; it may be 0. Otherwise it is at
 * least 1. */
long ctl_stage_starts(const CtlProblem *level, bool alone, bool again);

/* Adds runs to the stage: from `own` further initial points of the stage itself, and from the results answers [count]
 * of stages with fewer segments. Returns false when out of memory. */
bool ctl_stage_list(CtlStage *stage, long own, int count, const CtlAnswers *const *answers);

/* ctl_stage_list_seeds adds runs that begin at the best patterns of stick and slip; with many starts more patterns are
 * used. ctl_stage_list_ways adds a run that begins at the pattern start_ways of the problem. Both functions return
 * false when out of memory. */
bool ctl_stage_list_seeds(CtlStage *stage);
bool ctl_stage_list_ways(CtlStage *stage);
/* Returns the number of initial points of the stage itself from which runs have begun, plus the number of patterns of
 * stick and slip that queries have found. */
long ctl_stage_started(const CtlStage *stage);
/* Whether a pattern query of this stage has found a pattern. */
bool ctl_stage_has_seeds(const CtlStage *stage);

/* Called when all runs have ended. Adds runs from the best results with their phases of stick and slip shifted in time,
 * at most twice for a stage with several starts. *any: whether a run was added. Returns false when out of memory. */
bool ctl_stage_improve(CtlStage *stage, bool *any);

/* Begins those runs that no longer wait for results of other runs. Returns false when out of memory. */
bool ctl_stage_begin(CtlStage *stage);

/* Returns the number of runs that are in progress. */
int ctl_stage_active(const CtlStage *stage);

/* Accepts the simulated motion of a run's trial point. Arguments are those of ctl_sqp_tell. */
void ctl_stage_tell(CtlStage *stage, CtlAttempt *attempt, const double *x, const double *v, const double *rows);

/* Ends runs that cannot become the best of the stage. Called after all trial points of a round have been simulated. */
void ctl_stage_judge(CtlStage *stage);

/* ctl_stage_best returns the index of the best run, or -1 if no run has a result. ctl_stage_meets returns whether the
 * best run meets the targets. */
int ctl_stage_best(const CtlStage *stage);
bool ctl_stage_meets(const CtlStage *stage);

/* Returns the number of initial points from which runs found the same result as run number `attempt`. Two results count
 * as the same if their J differ by less than 1e-6 of J. */
long ctl_stage_reached(const CtlStage *stage, int attempt);

/* Collects the results that are passed on to finer stages. Returns false when out of memory; *answers is then
 * cleared. */
bool ctl_stage_answers(const CtlStage *stage, CtlAnswers *answers);
void ctl_answers_clear(CtlAnswers *answers);

/* Both functions write their argument, or read it; a stage that is read must have no runs. Reading accepts any bytes
 * and sets bytes->bad for invalid ones. The functions return false when out of memory. */
bool ctl_stage_serialize(CtlStage *stage, CtlBytes *bytes);
bool ctl_answers_serialize(CtlAnswers *answers, int p, CtlBytes *bytes);

#endif
