/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting jobs of a spool: those in incoming/, and those in running/ that no service is running. */
#ifndef SRC_SERVE_SPOOL_LIST_H
#define SRC_SERVE_SPOOL_LIST_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

typedef struct SpoolEntry {
  char *name;              /* name of the entry in its folder; owned by the list */
  struct timespec since;   /* time since which the job has been waiting */
  struct timespec changed; /* time at which the permissions or the name last changed */
  ino_t inode;
  uid_t user;      /* user that submitted the job */
  int priority;    /* priority in job.json; 0: none given */
  bool in_process; /* whether the job must run in a process, because of its command or because it did so before */
  bool begun;      /* whether the entry is in running/; false: in incoming/ */
  bool cancelled;  /* the entry is a request to cancel, not a job */
  bool filled;     /* for a request: the file has content, so it is not a valid request */
  bool taken;      /* whether the entry was claimed, so that it must not be claimed again */
  bool seen;       /* whether the current scan has seen the entry */
  bool missed;     /* for a request: its job was missing at the last scan */
  int why;         /* errno of the last failed attempt to claim the job; 0: none failed */
} SpoolEntry;

typedef struct SpoolList {
  SpoolEntry *entries; /* [n] sorted by name after a scan; owned */
  size_t n, room;
} SpoolList;

void spool_list_clear(SpoolList *list);

/* Adds a copy of an entry and of its name. Returns false if there is no memory. */
bool spool_list_add(SpoolList *list, const SpoolEntry *entry);

/* Returns the entry with this name in a list that spool_list_look has sorted; NULL: there is none. */
SpoolEntry *spool_list_find(const SpoolList *list, const char *name);

/* State of a scan of a folder. A scan is done in parts, since the folder may have 100,000 files. */
typedef struct SpoolLook {
  DIR *folder;     /* the folder that is scanned; NULL: no scan is in progress */
  SpoolList found; /* entries that the scan has found so far and that are not in the list yet */
} SpoolLook;

/* Starts or continues a scan for at most this number of seconds. Returns whether it is complete. The list then has the
 * entries of the folder, sorted by name, except hidden files and those in `skip`; pointers to earlier entries are no
 * longer valid. An entry for which there is no memory will be found by the next scan. */
bool spool_list_look(SpoolList *list, SpoolLook *look, int folder, const SpoolList *skip, double seconds);
void spool_look_clear(SpoolLook *look);

/* Returns the number of jobs in the list that have not been claimed. */
size_t spool_list_left(const SpoolList *list);
/* Returns whether the list has requests that have not been handled. */
bool spool_list_has_requests(const SpoolList *list);

/* A queue of waiting jobs of one user and one kind (in_process or not). It is ordered by priority, then by waiting
 * time, then by name. */
typedef struct SpoolQueue {
  size_t next, end; /* indices into `order`: of the first entry of the queue, and of the entry after its last one */
} SpoolQueue;

typedef struct SpoolQueues {
  SpoolEntry **order; /* all entries, one queue after another; the array is owned, the entries belong to the list */
  SpoolQueue *queues; /* [n] owned */
  size_t n;
} SpoolQueues;

/* Builds the queues from a list; called after the list has changed. Returns false if there is no memory; there are then
 * no queues. */
bool spool_queues_make(SpoolQueues *queues, const SpoolList *list);
/* Returns the first entry of queue number k, from 0; NULL if the queue is empty. */
SpoolEntry *spool_queues_head(SpoolQueues *queues, size_t k);
void spool_queues_clear(SpoolQueues *queues);

/* Returns whether entry a has waited longer than b. Both must belong to the same user. */
bool spool_entry_is_older(const SpoolEntry *a, const SpoolEntry *b);

#endif
