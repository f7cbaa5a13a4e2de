/* What waits in a spool: entries of incoming/, and of running/ that nobody works on. */
#ifndef SRC_SERVE_SPOOL_LIST_H
#define SRC_SERVE_SPOOL_LIST_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

typedef struct SpoolEntry {
  char *name;              /* in its folder; owned by its list */
  struct timespec since;   /* that it waits */
  struct timespec changed; /* its rights, or its name */
  ino_t inode;
  uid_t user;      /* who has submitted it */
  int priority;    /* as job.json has it; 0: there is none */
  bool in_process; /* it needs a process of its own, by its command, or since it has had one */
  bool begun;      /* it is in running/, else in incoming/ */
  bool cancelled;  /* it is no job, but a wish to cancel one */
  bool filled;     /* its file is not empty, which a wish is */
  bool taken;      /* it is not to be given again */
  bool seen;       /* by the look that is under way */
  bool missed;     /* of a wish: its job was not there at the last look */
  int why;         /* errno of what cannot be taken */
} SpoolEntry;

typedef struct SpoolList {
  SpoolEntry *entries; /* [n] owned */
  size_t n, room;
} SpoolList;

void spool_list_clear(SpoolList *list);

/* One more; its name is copied. False: no memory. */
bool spool_list_add(SpoolList *list, const SpoolEntry *entry);

/* The one of that name, among those sorted by spool_list_read; NULL: there is none. */
SpoolEntry *spool_list_find(const SpoolList *list, const char *name);
/* Likewise, whatever the order. */
bool spool_list_has(const SpoolList *list, const char *name);

/* A look into a folder, in pieces: there may be a hundred thousand files in it. */
typedef struct SpoolLook {
  DIR *folder;     /* NULL: none is under way */
  SpoolList found; /* so far, of what was not there the last time */
} SpoolLook;

/* Begins with such a look, or goes on with it, for so many seconds. Whether it has come to its end: then the list is what is in the folder, sorted
 * by names, but for hidden names and those that `skip` has; what was in it before has moved. What memory does not suffice for is there the next
 * time. */
bool spool_list_look(SpoolList *list, SpoolLook *look, int folder, const SpoolList *skip, double seconds);
void spool_look_clear(SpoolLook *look);

/* How many jobs of it have not been given yet. */
size_t spool_list_left(const SpoolList *list);
/* Whether there are wishes that have not been looked into to the end. */
bool spool_list_has_requests(const SpoolList *list);

/* Those of a list that wait to be given, one queue for each user and kind (in_process): by priority, then who waits for longer, then by name. */
typedef struct SpoolQueue {
  size_t next, end; /* of order */
} SpoolQueue;

typedef struct SpoolQueues {
  SpoolEntry **order; /* all, queue by queue, owned; the list's */
  SpoolQueue *queues; /* [n] owned */
  size_t n;
} SpoolQueues;

/* Anew, once the list has changed. False: no memory; there are none. */
bool spool_queues_make(SpoolQueues *queues, const SpoolList *list);
/* Who is at the head of the k-th; NULL: nobody is left. */
SpoolEntry *spool_queues_head(SpoolQueues *queues, size_t k);
void spool_queues_clear(SpoolQueues *queues);

/* Whether of one user the first has waited for longer. */
bool spool_entry_is_older(const SpoolEntry *a, const SpoolEntry *b);

#endif
