/* A stage of `auto`: the problem with L segments, from starts of its own and from the answers of stages with fewer.
 *
 * More starts are never worse, and more segments neither. For that each run has a rank, the least number of starts with which it would be
 * there, and what becomes of it depends on those before it alone, in the order of ranks: a run is given up for the answers of those
 * before it, and its answer is carried up where it is among the best of these and itself. So whatever is tried with few starts is
 * tried with more, too; and a stage is the same whether it is the last one or not. */
#ifndef CONTROL_STAGE_H
#define CONTROL_STAGE_H

#include "control/auto/level.h"
#include "control/sqp/trail.h"

enum { CTL_CARRIED_MAX = 24 /* answers of a stage that are carried up at most: the first ones */ };

/* An answer that is carried up. */
typedef struct CtlAnswer {
  double *control;   /* [p L] owned by the CtlAnswers */
  long rank, starts; /* as of CtlAttempt */
} CtlAnswer;

typedef struct CtlAnswers {
  int segments, count;
  CtlAnswer list[CTL_CARRIED_MAX];
  double *controls; /* [CTL_CARRIED_MAX][p L] owned; NULL: the stage has not been */
} CtlAnswers;

typedef enum CtlAttemptState { CTL_ATTEMPT_WAITS, CTL_ATTEMPT_RUNS, CTL_ATTEMPT_ENDED } CtlAttemptState;

/* A run of a stage. */
typedef struct CtlAttempt {
  CtlTrail trail; /* while it runs */
  CtlAttemptState state;
  long start;  /* number of the stage's own start at which it begins; -1: it begins at an answer carried up */
  long rank;   /* the least number of starts with which it would be there */
  long starts; /* that have led to where it begins: 1 of a start of the stage's own */
  double
      *best; /* [p L] its answer so far: meets the targets, with the least merit; or misses them by the least. Owned */
  double J, merit, error; /* there: merit is J + CTL_RHO_MAX error; INFINITY: nothing is known yet */
} CtlAttempt;

typedef struct CtlStage {
  CtlLevel level;
  CtlSqpShared shared;
  CtlAttempt *attempts; /* [count] by rank; owned */
  int count;
  double *free; /* [p L] what the targets take without friction; owned */
  bool free_known;
  long own;     /* starts of its own listed so far */
  int restarts; /* how often there were more of them, as none met the target */
} CtlStage;

/* The stage with L segments without runs yet. given [n]: the problem's start. Returns false when out of memory; to be cleared, too. */
bool ctl_stage_init(CtlStage *stage, const CtlProblem *problem, int segments, const double *given);
void ctl_stage_clear(CtlStage *stage);

/* Starts of its own: at first, at least one, or again. alone: the problem is one that has no other stages. */
long ctl_stage_starts(const CtlProblem *level, bool alone, bool again);

/* Runs at so many more starts of its own, and at answers [count] of stages with fewer segments, are listed. Returns false when out of
 * memory. */
bool ctl_stage_list(CtlStage *stage, long own, int count, const CtlAnswers *const *answers);

/* Begins the runs whose turn has come. Returns false when out of memory. */
bool ctl_stage_begin(CtlStage *stage);

/* Runs under way. */
int ctl_stage_active(const CtlStage *stage);

/* The outcome of a run's trial, as of ctl_sqp_tell. */
void ctl_stage_tell(CtlStage *stage, CtlAttempt *attempt, const double *x, const double *v, const double *rows);

/* Once all have been told: gives up those that cannot win. */
void ctl_stage_judge(CtlStage *stage);

/* The best run's number; -1: nothing is known of any. Whether it meets the targets. */
int ctl_stage_best(const CtlStage *stage);
bool ctl_stage_meets(const CtlStage *stage);

/* How many starts have led to the answer of a run, to 1e-6 of J. */
long ctl_stage_reached(const CtlStage *stage, int attempt);

/* Those that are carried up; cleared, too. Returns false when out of memory. */
bool ctl_stage_answers(const CtlStage *stage, CtlAnswers *answers);
void ctl_answers_clear(CtlAnswers *answers);

/* To bytes, or from any bytes (bytes->bad) to a stage without runs. Returns false when out of memory. */
bool ctl_stage_serialize(CtlStage *stage, CtlBytes *bytes);
bool ctl_answers_serialize(CtlAnswers *answers, int p, CtlBytes *bytes);

#endif
