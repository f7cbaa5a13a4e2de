/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/turns.h"

#include "control/base/clock.h"
#include "src/base/json_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* HALF_LIFE: a second that a user has used counts half after this time, in s. LEAST: used times below this are not
 * passed to the next service, in s. */
static const double HALF_LIFE = 3600, LEAST = 0.001;

void turns_clear(Turns *turns) {
  free(turns->shares);
  *turns = (Turns){0};
}

static TurnShare *share_of(Turns *turns, uid_t user) {
  for (size_t i = 0; i < turns->n; i++)
    if (turns->shares[i].user == user) return &turns->shares[i];
  TurnShare *shares = realloc(turns->shares, (turns->n + 1) * sizeof *shares);
  if (!shares) return NULL;
  turns->shares = shares;
  shares[turns->n] = (TurnShare){user, 0};
  return &shares[turns->n++];
}

static void fade(Turns *turns, double seconds) {
  for (size_t i = 0; i < turns->n; i++) turns->shares[i].used *= exp2(-seconds / HALF_LIFE);
}

json_t *turns_json(const Turns *turns) {
  json_t *json = json_object();
  for (size_t i = 0; i < turns->n && json; i++) {
    char user[32];
    snprintf(user, sizeof user, "%lu", (unsigned long)turns->shares[i].user);
    bool counts = turns->shares[i].used >= LEAST;
    if (counts && json_object_set_new(json, user, json_real(turns->shares[i].used))) return json_if(false, json);
  }
  return json;
}

void turns_begin(Turns *turns, const json_t *used, double ago) {
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)used, key, value) {
    char *end;
    unsigned long user = strtoul(key, &end, 10);
    double seconds = json_number_value(value);
    TurnShare *share = *end || !(seconds > 0) || user != (uid_t)user ? NULL : share_of(turns, (uid_t)user);
    if (share) share->used = seconds;
  }
  fade(turns, fmax(ago, 0));
}

void turns_charge(Turns *turns, const ServeJob *jobs) {
  double now = ctl_seconds(), since = turns->charged > 0 ? now - turns->charged : 0;
  turns->charged = now;
  fade(turns, since);
  for (const ServeJob *job = jobs; job; job = job->next) {
    if (job->stage == STAGE_QUEUE || job->stage == STAGE_GIVING) continue;
    TurnShare *share = share_of(turns, job->submitter.user);
    if (share) share->used += since;
  }
}

double turns_used(const Turns *turns, uid_t user) {
  for (size_t i = 0; i < turns->n; i++)
    if (turns->shares[i].user == user) return turns->shares[i].used;
  return 0;
}

static int among_all(uid_t user, int priority) { return user == 0 || user == geteuid() ? priority : 0; }

/* Compares two jobs by the rules 1 to 3 of turns.h. Returns < 0 if the first job comes first, > 0 if the second does,
 * and 0 if the rules do not distinguish them. */
static int rank(const Turns *turns, uid_t user, int priority, uid_t other, int others) {
  int all = among_all(user, priority), of_other = among_all(other, others);
  if (all != of_other) return all > of_other ? -1 : 1;
  if (user == other) return others - priority;
  double used = turns_used(turns, user), by_other = turns_used(turns, other);
  return used < by_other ? -1 : used > by_other;
}

static bool goes_before(const Turns *turns, const SpoolEntry *a, const SpoolEntry *b) {
  int by_rank = rank(turns, a->user, a->priority, b->user, b->priority);
  return by_rank ? by_rank < 0 : spool_entry_is_older(a, b);
}

/* Returns whether a user has a job with a place of this kind (on the pool, or in a process). */
static bool has_place(const ServeJob *jobs, ServeStage place, uid_t user) {
  for (const ServeJob *job = jobs; job; job = job->next)
    if (turns_place(job) == place && job->submitter.user == user) return true;
  return false;
}

static bool has_room(TurnsRoom room, const SpoolEntry *entry) {
  if (entry->in_process) return room.in_process;
  return room.on_ranks || (room.jobs && !has_place(room.jobs, STAGE_SEARCH, entry->user));
}

SpoolEntry *turns_next(const Turns *turns, Spool *spool, TurnsRoom room) {
  SpoolEntry *next = NULL;
  for (size_t i = 0; i < spool->begun.n; i++) {
    SpoolEntry *entry = &spool->begun.entries[i];
    if (!entry->taken && has_room(room, entry) && (!next || goes_before(turns, entry, next))) next = entry;
  }
  for (size_t k = 0; k < spool->queues.n; k++) {
    SpoolEntry *entry = spool_queues_head(&spool->queues, k);
    if (entry && has_room(room, entry) && (!next || goes_before(turns, entry, next))) next = entry;
  }
  return next;
}

/* Returns the time, in s, for which a job may keep its place although another job wants it. A job in a process may lose
 * its work since its last checkpoint. Therefore its turn becomes longer the longer it has run, up to a limit. */
static double turn_of(const ServeJob *job, double seconds, TurnsClaim claim, bool placed) {
  static const double SOON = 0.1; /* after this fraction of its turn, a job makes room for a user without a place */
  if (among_all(claim.user, claim.priority) > among_all(job->submitter.user, job->wanted.priority)) return 0;
  if (claim.fresh && !placed && claim.user != job->submitter.user) return SOON * seconds;
  return job->stage == STAGE_PROCESS ? fmin(fmax(seconds, job->attempts.seconds), TURNS_MOST * seconds) : seconds;
}

const ServeJob *turns_queued(const Turns *turns, const ServeJob *jobs, bool ends) {
  const ServeJob *first = NULL;
  for (const ServeJob *job = jobs; job; job = job->next) {
    if (job->stage != STAGE_QUEUE || job->stop != SERVE_GOES_ON || (ends && !job->ends)) continue;
    if (!first ||
        rank(turns, job->submitter.user, job->wanted.priority, first->submitter.user, first->wanted.priority) < 0)
      first = job;
  }
  return first;
}

const ServeJob *turns_for_process(const Turns *turns, const ServeJob *jobs, int processes, int most, bool extra) {
  const ServeJob *next = extra ? NULL : turns_queued(turns, jobs, true);
  return next || processes >= most ? next : turns_queued(turns, jobs, false);
}

ServeStage turns_place(const ServeJob *job) { return job->stage == STAGE_CHECK ? STAGE_SEARCH : job->stage; }

ServeJob *turns_yielding(const Turns *turns, ServeJob *jobs, ServeStage place, TurnsClaim claim, double seconds) {
  double now = ctl_seconds();
  bool placed = has_place(jobs, place, claim.user);
  ServeJob *last = NULL;
  for (ServeJob *job = jobs; job; job = job->next) {
    if (turns_place(job) != place || job->extra) continue;
    if (job->stop != SERVE_GOES_ON || now - job->placed < turn_of(job, seconds, claim, placed)) continue;
    if (rank(turns, claim.user, claim.priority, job->submitter.user, job->wanted.priority) > 0) continue;
    int by_rank =
        last ? rank(turns, last->submitter.user, last->wanted.priority, job->submitter.user, job->wanted.priority) : -1;
    if (by_rank < 0 || (by_rank == 0 && job->placed < last->placed)) last = job;
  }
  return last;
}
