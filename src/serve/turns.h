/* Who begins next, and who makes room for it.
 *
 * A job goes before another
 *   1. by priority, where root or the service's own user has given it: theirs count among all jobs, others' as 0;
 *   2. if its submitter has used less: seconds that his jobs have had a place, each hour counted half of the one after it;
 *   3. of one submitter by priority;
 *   4. if it has waited for longer, since it was put in or set aside.
 * When all places are taken, a job that has had its turn makes room for one that goes before it by 1 to 3, or is as good as it. A turn is over
 * at once for a job that goes before it by 1; soon for one that has had none, of a user without a place of the kind.
 * A turn in a process grows with what the job has had, for what it has done since its checkpoint may be lost; up to TURNS_MOST turns. */
#ifndef SRC_SERVE_TURNS_H
#define SRC_SERVE_TURNS_H

#include "src/serve/serve_job.h"

#include <jansson.h>

enum { TURNS_MOST = 3 };

typedef struct TurnShare {
  uid_t user;
  double used; /* s */
} TurnShare;

typedef struct Turns {
  TurnShare *shares; /* [n] owned */
  size_t n;
  double charged; /* ctl_seconds; 0: never */
} Turns;

void turns_clear(Turns *turns);

/* Counts what those that have a place, and do not only wait for a process, have used since the last time. Where memory does not suffice they are counted later. */
void turns_charge(Turns *turns, const ServeJob *jobs);

/* s that a user has used. */
double turns_used(const Turns *turns, uid_t user);

/* What all have used, for the next service: {UID: s}. A new reference; NULL: no memory. */
json_t *turns_json(const Turns *turns);
/* Begins with that, told so many seconds ago. What is no such number counts as nothing. */
void turns_begin(Turns *turns, const json_t *used, double ago);

/* Which kinds of jobs there is room for. */
typedef struct TurnsRoom {
  bool on_ranks; /* the pool, for those that may go there */
  const ServeJob *
      jobs; /* those that have begun: a user none of whose is on the pool finds room there in any case; NULL: he does not */
  bool in_process; /* the queue for processes, for those that surely need one */
} TurnsRoom;

/* Which of those that wait, and for which there is room, is the next; NULL: none. */
SpoolEntry *turns_next(const Turns *turns, Spool *spool, TurnsRoom room);

/* Which job in the queue for processes has the next one: by 1 to 3, then the one that began first; NULL: none waits. ends: of those alone whose
 * search has ended on the ranks. */
const ServeJob *turns_queued(const Turns *turns, const ServeJob *jobs, bool ends);

/* Which job has the next process, if so many of at most `most` are taken; NULL: none. One more, taken or not, is for those alone whose search has
 * ended on the ranks: they wait for nobody. */
const ServeJob *turns_for_process(const Turns *turns, const ServeJob *jobs, int processes, int most, bool extra);

/* Where a job has its place: STAGE_SEARCH, on the pool, and those that are to go there; STAGE_PROCESS; or STAGE_QUEUE. */
ServeStage turns_place(const ServeJob *job);

/* Who wants a place. */
typedef struct TurnsClaim {
  uid_t user;
  int priority;
  bool fresh; /* it has not had a turn yet */
} TurnsClaim;

/* Who makes room for it, of those in one of these places, but for the one extra process; NULL: nobody has had a turn of so many seconds, or each goes before it. */
ServeJob *turns_yielding(const Turns *turns, ServeJob *jobs, ServeStage place, TurnsClaim claim, double seconds);

#endif
