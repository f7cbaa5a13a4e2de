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

enum { CTL_CARRIED_MAX = 64 /* answers of a stage that are carried up at most: the first ones and the best */ };

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

enum {
  CTL_START_CARRIED = -1, /* an answer carried up, or one of the stage's own, or what a question makes of it */
  CTL_START_SEED = -2,    /* a pattern of stick and slip */
  CTL_SEEDS = 6,          /* patterns of a stage, the best ones, */
  CTL_SEEDS_MAX = 64      /* of many starts */
};

/* A run of a stage. */
typedef struct CtlAttempt {
  CtlTrail trail; /* while it runs */
  CtlAttemptState state;
  long start; /* number of the stage's own start at which it begins; or CTL_START_SEED, CTL_START_CARRIED */
  CtlMotion
      motion;   /* by which it begins: CTL_MOTION_FILE, or a question about patterns whose answer is where it begins */
  double asked; /* J of that answer; NAN: nothing has been asked, or not answered yet */
  long rank;    /* the least number of starts with which it would be there */
  long starts;  /* that have led to where it begins: 1 of a start of the stage's own */
  double
      source; /* J of the stage's own answer that meets the target, where it begins at what the pattern of that leads to; else 0 */
  double
      *best; /* [p L] its answer so far: meets the targets, with the least merit; or misses them by the least. Owned */
  double *from;           /* [p L] where it begins, in best's block */
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
  int seeds;    /* patterns asked for: 0, or from CTL_SEEDS to CTL_SEEDS_MAX */
  int improved; /* how often its answers' patterns have been asked about */
  int restarts; /* how often there were more of them, as none met the target */
} CtlStage;

/* The stage with L segments without runs yet. given [n]: the problem's start. Returns false when out of memory; to be cleared, too. */
bool ctl_stage_init(CtlStage *stage, const CtlProblem *problem, int segments, const double *given);
void ctl_stage_clear(CtlStage *stage);

/* Whether a stage has several starts of its own: few segments, or a multiple of none but few. */
bool ctl_stage_is_coarse(const CtlProblem *level);

/* Starts of its own: at first, at least one, or again. alone: the problem is one that has no other stages. */
long ctl_stage_starts(const CtlProblem *level, bool alone, bool again);

/* Runs at so many more starts of its own, and at answers [count] of stages with fewer segments, are listed. Returns false when out of
 * memory. */
bool ctl_stage_list(CtlStage *stage, long own, int count, const CtlAnswers *const *answers);

/* Lists runs that begin at the best patterns of the stage, more with many starts; a run that begins at the problem's start_ways. Both return false when
 * out of memory. */
bool ctl_stage_list_seeds(CtlStage *stage);
bool ctl_stage_list_ways(CtlStage *stage);
/* Starts of the stage's own that have begun, and patterns of those that have been found. */
long ctl_stage_started(const CtlStage *stage);
/* Whether one of these patterns has been found. */
bool ctl_stage_has_seeds(const CtlStage *stage);

/* All have ended: lists runs at what the patterns of the best answers lead to once their slips are moved, if that has not been done and the
 * stage has several starts. Returns false when out of memory; any: whether there are such. */
bool ctl_stage_improve(CtlStage *stage, bool *any);

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
