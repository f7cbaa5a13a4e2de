/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides in which order jobs begin, and which job makes room for the next one. A job that runs has a place: on the
 * pool of workers (the ranks), or in a process of its own. The number of places of each kind is limited.
 *
 * Of two jobs, one comes first by the first of these rules that distinguishes them:
 * 1. It has the higher priority. Only priorities set by root or the user of the service count; others count as 0.
 * 2. Its submitter has used less time, i.e. seconds in which jobs of the submitter had a place. A second counts half
 *    when it is an hour old.
 * 3. Both jobs have the same submitter, and it has the higher priority.
 * 4. It has waited longer since it was submitted or paused.
 *
 * If all places are in use, a job that has had its turn makes room for a waiting job, if the waiting job comes first by
 * rules 1 to 3, or these rules do not distinguish the two. A turn ends at once for a job that comes first by rule 1. It
 * ends soon for a job that has not had a turn, if its user has no place of this kind. For a job in a process, a turn
 * becomes longer the longer the job has run, up to TURNS_MOST turns, since its work since the last checkpoint may be
 * lost. */
#ifndef SRC_SERVE_TURNS_H
#define SRC_SERVE_TURNS_H

#include "src/serve/serve_job.h"

#include <jansson.h>

/* longest turn of a job, in units of the normal turn */
enum { TURNS_MOST = 3 };

typedef struct TurnShare {
  uid_t user;
  double used; /* time that the user has used, in s (rule 2) */
} TurnShare;

typedef struct Turns {
  TurnShare *shares; /* [n] owned */
  size_t n;
  double charged; /* time (ctl_seconds) of the last call of turns_charge; 0: never called */
} Turns;

void turns_clear(Turns *turns);

/* Adds the time since the last call to the used times of the submitters of jobs that have a place. A job that only
 * waits for a process has none. If there is no memory, the time is added in a later call. */
void turns_charge(Turns *turns, const ServeJob *jobs);

/* Returns the time that a user has used, in s. */
double turns_used(const Turns *turns, uid_t user);

/* Returns the used times of all users as {UID: s}, for the next service. The caller owns the reference; NULL if there
 * is no memory. */
json_t *turns_json(const Turns *turns);
/* Begins with the used times that an earlier service has written `ago` seconds ago. used: the result of turns_json;
 * invalid entries are ignored. */
void turns_begin(Turns *turns, const json_t *used, double ago);

/* Which kinds of places are free. */
typedef struct TurnsRoom {
  bool on_ranks; /* whether there is a free place on the pool */
  /* Jobs that have begun. A user without any of them on the pool gets a place there even if on_ranks is false. NULL:
   * on_ranks applies to all users. */
  const ServeJob *jobs;
  bool in_process; /* whether there is a free place in the queue for processes, for jobs that certainly need a
                    * process */
} TurnsRoom;

/* Returns the waiting job that comes first among those for which there is a place; NULL: there is none. */
SpoolEntry *turns_next(const Turns *turns, Spool *spool, TurnsRoom room);

/* Returns the job that comes first in the queue for processes, by rules 1 to 3, then by the time at which it began;
 * NULL if no job waits. ends: only jobs that have finished their search on the ranks are considered. */
const ServeJob *turns_queued(const Turns *turns, const ServeJob *jobs, bool ends);

/* Returns the job that may start the next process; NULL: there is none. processes: number of processes in use, of at
 * most `most`. One extra process (in use if `extra`) is reserved for jobs that have finished their search on the ranks,
 * so that they need not wait for others. */
const ServeJob *turns_for_process(const Turns *turns, const ServeJob *jobs, int processes, int most, bool extra);

/* Returns the kind of place that a job has: STAGE_SEARCH (on the pool, or about to be), STAGE_PROCESS or
 * STAGE_QUEUE. */
ServeStage turns_place(const ServeJob *job);

/* A request for a place, made for a waiting job. */
typedef struct TurnsClaim {
  uid_t user;
  int priority;
  bool fresh; /* whether the job that needs the place has not had a turn yet */
} TurnsClaim;

/* Returns the job that must make room for a claim, among the jobs with this kind of place except the one in the extra
 * process. Returns NULL if no job has had a turn of this number of seconds, or all of them come before the claim. */
ServeJob *turns_yielding(const Turns *turns, ServeJob *jobs, ServeStage place, TurnsClaim claim, double seconds);

#endif
