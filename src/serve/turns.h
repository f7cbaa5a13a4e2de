/* Order of jobs, and which job makes room for the next.
 *
 * A job comes before another
 *   1. by priority if root or the service's own user has set it: these priorities apply among all jobs, others count as 0;
 *   2. if its submitter has used less: seconds in which the submitter's jobs had a place, each hour weighted by half of the
 *      following one;
 *   3. among jobs of one submitter, by priority;
 *   4. if it has waited longer, since it was submitted or set aside.
 * If all places are taken, a job that has had its turn makes room for one that comes before it, or is equal, by 1 to 3.
 * The turn ends at once for a job that comes before it by 1; soon for a job that has had no turn, of a user without a
 * place of this kind. A turn in a process grows with the time the job has had, as its work since its checkpoint may be
 * lost; up to TURNS_MOST turns. */
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
  double charged; /* ctl_seconds of the last update; 0: never */
} Turns;

void turns_clear(Turns *turns);

/* Adds the time since the last update for jobs that have a place and do not only wait for a process. Without memory the
 * time is added later. */
void turns_charge(Turns *turns, const ServeJob *jobs);

/* Returns the seconds that a user has used. */
double turns_used(const Turns *turns, uid_t user);

/* Returns the used time of all users, for the next service: {UID: s}. A new reference; NULL if there is no memory. */
json_t *turns_json(const Turns *turns);
/* Starts from such an object, written `ago` seconds ago. Invalid entries are ignored. */
void turns_begin(Turns *turns, const json_t *used, double ago);

/* Kinds of jobs for which there is room. */
typedef struct TurnsRoom {
  bool on_ranks; /* on the pool */
  /* jobs that have begun: a user without a job on the pool finds room there in any case; NULL: not */
  const ServeJob *jobs;
  bool in_process; /* in the queue for processes, for jobs that certainly need one */
} TurnsRoom;

/* Returns the next waiting job for which there is room; NULL: none. */
SpoolEntry *turns_next(const Turns *turns, Spool *spool, TurnsRoom room);

/* Returns the next job in the queue for processes: by 1 to 3, then by its start; NULL: none waits. ends: only among
 * jobs with a search that has ended on the ranks. */
const ServeJob *turns_queued(const Turns *turns, const ServeJob *jobs, bool ends);

/* Returns the job that gets the next process if `processes` of at most `most` are in use; NULL: none. There is one
 * extra process, in use or not, only for jobs that have finished their search on the ranks, so that they do not wait
 * for others. */
const ServeJob *turns_for_process(const Turns *turns, const ServeJob *jobs, int processes, int most, bool extra);

/* Returns the kind of a job's place: STAGE_SEARCH, on the pool or about to be; STAGE_PROCESS; or STAGE_QUEUE. */
ServeStage turns_place(const ServeJob *job);

/* A request for a place. */
typedef struct TurnsClaim {
  uid_t user;
  int priority;
  bool fresh; /* its job has not had a turn yet */
} TurnsClaim;

/* Returns the job that makes room for a claim, among those with one of these places, except the one extra process;
 * NULL: none has had a turn of this number of seconds, or all come before it. */
ServeJob *turns_yielding(const Turns *turns, ServeJob *jobs, ServeStage place, TurnsClaim claim, double seconds);

#endif
