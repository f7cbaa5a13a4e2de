/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides the order of jobs, and which job makes room for the next.
 *
 * A job comes before another, by the first of these rules that distinguishes them:
 * 1. The job has the higher priority. Only priorities set by root or the service's own user count; others count as 0.
 * 2. Its submitter has used less time: seconds in which jobs of the submitter had a place. A second counts half when it
 *    is an hour old.
 * 3. Both jobs have the same submitter, and this one has the higher priority.
 * 4. The job has waited longer since it was submitted or set aside.
 *
 * If all places are taken, a job that has had its turn makes room for a job that comes before it by rules 1 to 3, or is
 * equal by them. A turn ends at once for a job that comes before it by rule 1. It ends soon for a job that has had no
 * turn, if its user has no place of this kind. A turn in a process grows with the time the job has had, up to
 * TURNS_MOST turns, as the work since the last checkpoint may be lost. */
#ifndef SRC_SERVE_TURNS_H
#define SRC_SERVE_TURNS_H

#include "src/serve/serve_job.h"

#include <jansson.h>

enum { TURNS_MOST = 3 };

typedef struct TurnShare {
  uid_t user;
  double used; /* time that the user has used, in s (rule 2) */
} TurnShare;

typedef struct Turns {
  TurnShare *shares; /* [n] owned */
  size_t n;
  double charged; /* time (ctl_seconds) of the last update; 0: never */
} Turns;

void turns_clear(Turns *turns);

/* Adds the time since the last update to the users of jobs that have a place; a job that only waits for a process has
 * none. If memory runs out, the time is added at a later call. */
void turns_charge(Turns *turns, const ServeJob *jobs);

/* Returns the seconds that a user has used. */
double turns_used(const Turns *turns, uid_t user);

/* Returns the used time of all users, for the next service: {UID: s}. A new reference; NULL if there is no memory. */
json_t *turns_json(const Turns *turns);
/* Starts from the object `used` of an earlier service, written `ago` seconds ago. Ignores invalid entries. */
void turns_begin(Turns *turns, const json_t *used, double ago);

/* Kinds of places that are free. */
typedef struct TurnsRoom {
  bool on_ranks; /* there is room on the pool */
  /* Jobs that have begun. A user without any of them on the pool finds room there even if on_ranks is false. NULL:
   * on_ranks decides for all users. */
  const ServeJob *jobs;
  bool in_process; /* there is room in the queue for processes, for jobs that certainly need a process */
} TurnsRoom;

/* Returns the next waiting job for which there is room; NULL: none. */
SpoolEntry *turns_next(const Turns *turns, Spool *spool, TurnsRoom room);

/* Returns the next job in the queue for processes: by rules 1 to 3, then by its start; NULL if none waits. ends:
 * consider only jobs that have finished their search on the ranks. */
const ServeJob *turns_queued(const Turns *turns, const ServeJob *jobs, bool ends);

/* Returns the job that gets the next process, if `processes` of at most `most` are in use; NULL: none. One extra
 * process, in use or not, is reserved for jobs that have finished their search on the ranks, so that they need not wait
 * for others. */
const ServeJob *turns_for_process(const Turns *turns, const ServeJob *jobs, int processes, int most, bool extra);

/* Returns the kind of a job's place: STAGE_SEARCH (on the pool, or about to be), STAGE_PROCESS or STAGE_QUEUE. */
ServeStage turns_place(const ServeJob *job);

/* A request for a place. */
typedef struct TurnsClaim {
  uid_t user;
  int priority;
  bool fresh; /* the job of this claim has not had a turn yet */
} TurnsClaim;

/* Returns the job that makes room for a claim, among jobs with this kind of place except the extra process. NULL if no
 * job has had a turn of this number of seconds, or all come before the claim. */
ServeJob *turns_yielding(const Turns *turns, ServeJob *jobs, ServeStage place, TurnsClaim claim, double seconds);

#endif
