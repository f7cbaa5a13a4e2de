/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting jobs of a spool: those in incoming/, and those in running/ on which no service works. */
#ifndef SRC_SERVE_SPOOL_LIST_H
#define SRC_SERVE_SPOOL_LIST_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

typedef struct SpoolEntry {
  char *name;              /* name of the entry in its folder; owned by the list */
  struct timespec since;   /* time since which the job waits */
  struct timespec changed; /* time at which the permissions or the name last changed */
  ino_t inode;
  uid_t user;      /* user that submitted the job */
  int priority;    /* priority in job.json; 0: none given */
  bool in_process; /* the job must run in its own process, because of its command or because it did before */
  bool begun;      /* whether the entry is in running/; false: in incoming/ */
  bool cancelled;  /* the entry is a request to cancel, not a job */
  bool filled;     /* for a request: the file has content, so it is not a valid request */
  bool taken;      /* the entry must not be claimed again */
  bool seen;       /* the current scan has seen the entry */
  bool missed;     /* for a request: its job was missing at the last scan */
  int why;         /* errno of the failed claim; 0: none */
} SpoolEntry;

typedef struct SpoolList {
  SpoolEntry *entries; /* [n] sorted by name after a scan; owned */
  size_t n, room;
} SpoolList;

void spool_list_clear(SpoolList *list);

/* Adds a copy of an entry and of its name. Returns false if there is no memory. */
bool spool_list_add(SpoolList *list, const SpoolEntry *entry);

/* Returns the entry with this name in a list sorted by spool_list_look; NULL: none. */
SpoolEntry *spool_list_find(const SpoolList *list, const char *name);

/* State of a scan of a folder. It is done in parts, as the folder may have 100,000 files. */
typedef struct SpoolLook {
  DIR *folder;     /* NULL: no scan is running */
  SpoolList found; /* entries that the scan has found so far and that are not in the list yet */
} SpoolLook;

/* Starts or continues a scan for at most this number of seconds. Returns whether it is complete. Then the list has the
 * entries of the folder sorted by name, except hidden names and those in `skip`. Pointers to old entries are then
 * invalid. If memory runs out for an entry, the next scan finds it. */
bool spool_list_look(SpoolList *list, SpoolLook *look, int folder, const SpoolList *skip, double seconds);
void spool_look_clear(SpoolLook *look);

/* Returns the number of jobs in the list that were not claimed yet. */
size_t spool_list_left(const SpoolList *list);
/* Returns whether the list has requests that were not handled yet. */
bool spool_list_has_requests(const SpoolList *list);

/* A queue of waiting jobs of one user and one kind (in_process). It is ordered by priority, then by waiting time, then
 * by name. */
typedef struct SpoolQueue {
  size_t next, end; /* indices into `order`: the head of the queue, and the entry after its last one */
} SpoolQueue;

typedef struct SpoolQueues {
  SpoolEntry **order; /* all entries, one queue after another; the array is owned, the entries belong to the list */
  SpoolQueue *queues; /* [n] owned */
  size_t n;
} SpoolQueues;

/* Builds the queues from a list, after it has changed. Returns false if there is no memory; there are then no
 * queues. */
bool spool_queues_make(SpoolQueues *queues, const SpoolList *list);
/* Returns the head of queue number k, from 0; NULL if the queue is empty. */
SpoolEntry *spool_queues_head(SpoolQueues *queues, size_t k);
void spool_queues_clear(SpoolQueues *queues);

/* Returns whether a has waited longer than b. Both belong to one user. */
bool spool_entry_is_older(const SpoolEntry *a, const SpoolEntry *b);

#endif
