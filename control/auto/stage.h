/* A stage of `auto`: the problem with L segments, from its own starts and from the answers of stages with fewer
 * segments. More starts never give a worse answer, nor do more segments. To ensure that, each run has a rank: the
 * smallest number of starts with which it exists. Its course depends only on runs of lower rank. A run is given up
 * only because of earlier answers, and its answer is carried up if it is among the best of these and itself. So all
 * runs with few starts also exist with more, and a stage does not depend on whether it is the last one. */
#ifndef CONTROL_STAGE_H
#define CONTROL_STAGE_H

#include "control/auto/level.h"
#include "control/sqp/trail.h"

enum {
  CTL_CARRIED_MAX = 64 /* maximum number of answers of a stage that are carried up: the first ones and the best */
};

/* An answer that is carried up. */
typedef struct AutoAnswer {
  double *control;   /* [p L] owned by the CtlAnswers */
  long rank, starts; /* see CtlAttempt */
} AutoAnswer;

typedef struct CtlAnswers {
  int segments, count;
  AutoAnswer list[CTL_CARRIED_MAX];
  double *controls; /* [CTL_CARRIED_MAX][p L] owned; NULL: the stage was left out */
} CtlAnswers;

typedef enum CtlAttemptState { CTL_ATTEMPT_WAITS, CTL_ATTEMPT_RUNS, CTL_ATTEMPT_ENDED } CtlAttemptState;

enum {
  CTL_START_CARRIED = -1, /* an answer carried up, one of the stage's own, or the result of a query from it */
  CTL_START_SEED = -2,    /* a pattern of stick and slip */
  CTL_SEEDS = 6,          /* number of best patterns of a stage, */
  CTL_SEEDS_MAX = 64      /* maximum number of seeds, with many starts */
};

/* A run of a stage. */
typedef struct CtlAttempt {
  CtlTrail trail; /* SQP run, while the attempt is active */
  CtlAttemptState state;
  long start; /* index of the stage's own start; or CTL_START_SEED, CTL_START_CARRIED */
  /* motion with which it begins: CTL_MOTION_FILE, or a pattern query whose answer is the start */
  CtlMotion motion;
  double asked; /* J of that answer; NAN: no query, or not answered yet */
  long rank;    /* smallest number of starts with which the run exists */
  long starts;  /* number of starts that led to its beginning: 1 for one of the stage's own */
  /* J of the stage's answer from whose pattern the run begins, if that meets the target; otherwise 0 */
  double source;
  /* [p L] best point so far: lowest merit of those that meet the targets, otherwise smallest miss. Owned */
  double *best;
  double *from;           /* [p L] start of the run, in best's block */
  double J, merit, error; /* values at `best`: merit is J + CTL_RHO_MAX error; INFINITY: none yet */
} CtlAttempt;

typedef struct CtlStage {
  CtlLevel level;
  CtlSqpShared shared;
  CtlAttempt *attempts; /* [count] runs by rank; owned */
  int count;
  double *free; /* [p L] control that meets the targets without friction; owned */
  bool free_known;
  long own;     /* number of own starts listed so far */
  int seeds;    /* patterns requested: 0, or from CTL_SEEDS to CTL_SEEDS_MAX */
  int improved; /* how often runs from its answers' patterns were listed */
  int restarts; /* how often starts were added because none met the target */
} CtlStage;

/* Initialises the stage with L segments, without runs. given [n]: the problem's start. Returns false when out of
 * memory; clear it then, too. */
bool ctl_stage_init(CtlStage *stage, const CtlProblem *problem, int segments, const double *given);
void ctl_stage_clear(CtlStage *stage);

/* Whether a stage has several own starts: few segments, or a multiple of no smaller number but few. */
bool ctl_stage_is_coarse(const CtlProblem *level);

/* Number of its own starts at first (>= 1) or again. alone: there are no other stages. */
long ctl_stage_starts(const CtlProblem *level, bool alone, bool again);

/* Lists runs from `own` more own starts and from the answers [count] of coarser stages. Returns false when out of
 * memory. */
bool ctl_stage_list(CtlStage *stage, long own, int count, const CtlAnswers *const *answers);

/* Lists runs from the best patterns of the stage, more with many starts; and a run from the problem's start_ways.
 * Both return false when out of memory. */
bool ctl_stage_list_seeds(CtlStage *stage);
bool ctl_stage_list_ways(CtlStage *stage);
/* Number of own starts that have begun, and of found patterns. */
long ctl_stage_started(const CtlStage *stage);
/* Whether one of these patterns has been found. */
bool ctl_stage_has_seeds(const CtlStage *stage);

/* After all runs have ended: lists runs from the shifted patterns of the best answers, if not yet done and the stage
 * has several starts. *any: whether there are any. Returns false when out of memory. */
bool ctl_stage_improve(CtlStage *stage, bool *any);

/* Begins the runs whose turn has come. Returns false when out of memory. */
bool ctl_stage_begin(CtlStage *stage);

/* Number of runs in progress. */
int ctl_stage_active(const CtlStage *stage);

/* Accepts the outcome of a run's trial, as ctl_sqp_tell. */
void ctl_stage_tell(CtlStage *stage, CtlAttempt *attempt, const double *x, const double *v, const double *rows);

/* After all outcomes of a round: gives up runs that cannot win. */
void ctl_stage_judge(CtlStage *stage);

/* Index of the best run; -1: none has a result. Whether it meets the targets. */
int ctl_stage_best(const CtlStage *stage);
bool ctl_stage_meets(const CtlStage *stage);

/* Number of starts that led to the answer of a run, within 1e-6 of J. */
long ctl_stage_reached(const CtlStage *stage, int attempt);

/* Collects the answers that are carried up; cleared on failure. Returns false when out of memory. */
bool ctl_stage_answers(const CtlStage *stage, CtlAnswers *answers);
void ctl_answers_clear(CtlAnswers *answers);

/* Writes the state, or reads it into a stage without runs; safe against any bytes (bytes->bad). Returns false when
 * out of memory. */
bool ctl_stage_serialize(CtlStage *stage, CtlBytes *bytes);
bool ctl_answers_serialize(CtlAnswers *answers, int p, CtlBytes *bytes);

#endif
