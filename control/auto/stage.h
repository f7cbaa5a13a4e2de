/* SPDX-License-Identifier: BSD-2-Clause */
/* A stage of the method `auto`: the problem with L segments, solved by runs of SQP from several initial points. The
 * initial points are the stage's own ones and the answers of stages with fewer segments.
 *
 * With more initial points or more segments the answer is never worse. For this purpose each run has a rank. The rank
 * is an ordinal, not an MPI rank: the smallest number of initial points with which the run exists. The iterations of a
 * run depend only on runs of lower rank. A run is ended early only because of answers found before it. Its answer is
 * passed on to stages with more segments if it is among the best of all answers up to this run. So all runs that exist
 * with few initial points also exist with more. A stage does not depend on whether it is the last one. */
#ifndef CONTROL_STAGE_H
#define CONTROL_STAGE_H

#include "control/auto/level.h"
#include "control/sqp/trail.h"

enum {
  /* maximum number of answers that a stage passes on to stages with more segments: the first ones and the best */
  CTL_CARRIED_MAX = 64
};

/* An answer that is passed on to finer stages. */
typedef struct AutoAnswer {
  double *control;   /* [p L] control; storage owned by the CtlAnswers */
  long rank, starts; /* rank (an ordinal) and starts of the run that found the answer, as in CtlAttempt */
} AutoAnswer;

typedef struct CtlAnswers {
  int segments, count;
  AutoAnswer list[CTL_CARRIED_MAX];
  double *controls; /* [CTL_CARRIED_MAX][p L] controls; owned; NULL if the stage was skipped */
} CtlAnswers;

typedef enum CtlAttemptState { CTL_ATTEMPT_WAITS, CTL_ATTEMPT_RUNS, CTL_ATTEMPT_ENDED } CtlAttemptState;

enum {
  /* value of `start` for a run that begins at an answer of a coarser stage or of this stage, or at the result of a
   * pattern query for such an answer */
  CTL_START_CARRIED = -1,
  CTL_START_SEED = -2, /* value of `start` for a run that begins at a queried pattern of stick and slip */
  CTL_SEEDS = 6,       /* default number of patterns that a stage queries */
  CTL_SEEDS_MAX = 64   /* maximum number of patterns that a stage queries if it has many initial points */
};

/* A run of a stage. */
typedef struct CtlAttempt {
  CtlTrail trail; /* state of the SQP run while the attempt is active */
  CtlAttemptState state;
  long start; /* index of the initial point among the stage's own ones, or CTL_START_SEED or CTL_START_CARRIED */
  /* motion that the run simulates first: CTL_MOTION_FILE, or a pattern query. The answer to the query is then the run's
   * initial point */
  CtlMotion motion;
  double asked; /* J of the answer to the pattern query; NAN if there is no query, or no answer yet */
  long rank;    /* ordinal of the run, from 1 (not an MPI rank): the run exists if the stage has at least this number of
                 * initial points */
  long starts;  /* number of different initial points from which this run's initial point was found; 1 for one of this
                 * stage's own */
  /* J of the answer that gave the pattern at the start of the run, if that answer meets the target; otherwise 0 */
  double source;
  /* [p L] best point of the run so far: that with the lowest merit among points that meet the targets; if there is
   * none, that with the smallest error; owned */
  double *best;
  double *from;           /* [p L] initial point of the run, stored in the same block as best */
  double J, merit, error; /* effort J, merit and error of the target at the point `best`; merit is J + CTL_RHO_MAX
                           * error, or INFINITY before the first point */
} CtlAttempt;

typedef struct CtlStage {
  CtlLevel level;
  CtlSqpShared shared;
  CtlAttempt *attempts; /* [count] runs, ordered by rank; owned */
  int count;
  double *free; /* [p L] control that meets the targets if all friction is removed; owned */
  bool free_known;
  long own;     /* number of the stage's own initial points from which runs have been listed */
  int seeds;    /* number of patterns queried: 0, or from CTL_SEEDS to CTL_SEEDS_MAX */
  int improved; /* number of times that runs from the patterns of this stage's answers have been listed */
  int restarts; /* number of times that initial points have been added because no run met the target */
} CtlStage;

/* Initialises a stage with L segments and no runs. given [n]: initial control of the whole problem. Returns false when
 * out of memory; clear the stage then, too. */
bool ctl_stage_init(CtlStage *stage, const CtlProblem *problem, int segments, const double *given);
void ctl_stage_clear(CtlStage *stage);

/* Whether a stage has several initial points of its own. This is so if the number of segments is small, or has no
 * divisor that makes a useful coarser stage. */
bool ctl_stage_is_coarse(const CtlProblem *level);

/* Returns the number of a stage's own initial points. alone: whether there is no other stage. again: whether to return
 * the number of additional ones after no run has met the target. The number is at least 1 if again is false. */
long ctl_stage_starts(const CtlProblem *level, bool alone, bool again);

/* Adds runs to the stage: from `own` further initial points of the stage's own, and from the answers [count] of stages
 * with fewer segments. Returns false when out of memory. */
bool ctl_stage_list(CtlStage *stage, long own, int count, const CtlAnswers *const *answers);

/* ctl_stage_list_seeds lists runs that begin at the best patterns of stick and slip; with many starts more patterns
 * are used. The second function lists a run from the problem's start_ways. Both functions return false when out of
 * memory. */
bool ctl_stage_list_seeds(CtlStage *stage);
bool ctl_stage_list_ways(CtlStage *stage);
/* Returns the number of the stage's own initial points from which runs have begun, plus the number of patterns of stick
 * and slip that queries have found. */
long ctl_stage_started(const CtlStage *stage);
/* Whether a pattern query of this stage has found a pattern. */
bool ctl_stage_has_seeds(const CtlStage *stage);

/* Called when all runs have ended: lists runs from the best answers with their phases of stick and slip shifted in
 * time, once per stage, if the stage has several starts. *any: whether a run was listed. Returns false when out of
 * memory. */
bool ctl_stage_improve(CtlStage *stage, bool *any);

/* Begins those runs that no longer wait for results of other runs. Returns false when out of memory. */
bool ctl_stage_begin(CtlStage *stage);

/* Returns the number of runs that are in progress. */
int ctl_stage_active(const CtlStage *stage);

/* Accepts the simulated motion of a run's trial point. Arguments are those of ctl_sqp_tell. */
void ctl_stage_tell(CtlStage *stage, CtlAttempt *attempt, const double *x, const double *v, const double *rows);

/* Ends runs that cannot become the best of the stage. Called after all trial points of a round have been simulated. */
void ctl_stage_judge(CtlStage *stage);

/* ctl_stage_best returns the index of the best run, or -1 if no run has a result. The next function returns whether
 * that run meets the targets. */
int ctl_stage_best(const CtlStage *stage);
bool ctl_stage_meets(const CtlStage *stage);

/* Returns the number of initial points from which runs found the same answer as this run. Two answers count as the same
 * if their J differ by less than 1e-6 of J. */
long ctl_stage_reached(const CtlStage *stage, int attempt);

/* Collects the answers that are passed on to finer stages. Returns false when out of memory; answers is then
 * cleared. */
bool ctl_stage_answers(const CtlStage *stage, CtlAnswers *answers);
void ctl_answers_clear(CtlAnswers *answers);

/* Writes the state, or reads it into a stage without runs. Reading accepts any bytes and sets bytes->bad for invalid
 * ones. Returns false when out of memory. */
bool ctl_stage_serialize(CtlStage *stage, CtlBytes *bytes);
bool ctl_answers_serialize(CtlAnswers *answers, int p, CtlBytes *bytes);

#endif
