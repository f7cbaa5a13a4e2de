/* Waiting jobs of a spool: entries of incoming/, and of running/ if no service works on them. */
#ifndef SRC_SERVE_SPOOL_LIST_H
#define SRC_SERVE_SPOOL_LIST_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

typedef struct SpoolEntry {
  char *name;              /* name in its folder; owned by its list */
  struct timespec since;   /* start of waiting */
  struct timespec changed; /* last change of its permissions or name */
  ino_t inode;
  uid_t user;      /* its submitter */
  int priority;    /* from job.json; 0: none given */
  bool in_process; /* it must run in its own process, because of its command or because it did before */
  bool begun;      /* it is in running/, otherwise in incoming/ */
  bool cancelled;  /* a request to cancel, not a job */
  bool filled;     /* its file is not empty, so it is not a valid request */
  bool taken;      /* it must not be claimed again */
  bool seen;       /* by the current scan */
  bool missed;     /* for a request: its job was missing at the last scan */
  int why;         /* errno if it cannot be claimed */
} SpoolEntry;

typedef struct SpoolList {
  SpoolEntry *entries; /* [n] owned */
  size_t n, room;
} SpoolList;

void spool_list_clear(SpoolList *list);

/* Adds an entry; its name is copied. Returns false if there is no memory. */
bool spool_list_add(SpoolList *list, const SpoolEntry *entry);

/* Returns the entry with this name in a list sorted by spool_list_look; NULL: none. */
SpoolEntry *spool_list_find(const SpoolList *list, const char *name);

/* A scan of a folder, in parts, as it may have a hundred thousand files. */
typedef struct SpoolLook {
  DIR *folder;     /* NULL: no scan is running */
  SpoolList found; /* new entries found so far */
} SpoolLook;

/* Starts or continues a scan for this number of seconds. Returns whether it is complete. Then the list has the folder's
 * entries sorted by name, except hidden names and those in `skip`; old entries have moved. Entries for which there was
 * no memory are found by the next scan. */
bool spool_list_look(SpoolList *list, SpoolLook *look, int folder, const SpoolList *skip, double seconds);
void spool_look_clear(SpoolLook *look);

/* Number of jobs in the list that were not claimed yet. */
size_t spool_list_left(const SpoolList *list);
/* Whether there are unhandled requests. */
bool spool_list_has_requests(const SpoolList *list);

/* Waiting entries of a list, one queue for each user and kind (in_process): ordered by priority, then waiting time,
 * then name. */
typedef struct SpoolQueue {
  size_t next, end; /* indices in order */
} SpoolQueue;

typedef struct SpoolQueues {
  SpoolEntry **order; /* all entries, queue by queue; the array is owned, the entries belong to the list */
  SpoolQueue *queues; /* [n] owned */
  size_t n;
} SpoolQueues;

/* Builds the queues after the list has changed. Returns false if there is no memory; there are then no queues. */
bool spool_queues_make(SpoolQueues *queues, const SpoolList *list);
/* Returns the head of the k-th queue; NULL: empty. */
SpoolEntry *spool_queues_head(SpoolQueues *queues, size_t k);
void spool_queues_clear(SpoolQueues *queues);

/* Whether the first of two entries of one user has waited longer. */
bool spool_entry_is_older(const SpoolEntry *a, const SpoolEntry *b);

#endif
