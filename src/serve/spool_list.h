/* What waits in a spool: entries of incoming/, and of running/ that nobody works on. */
#ifndef SRC_SERVE_SPOOL_LIST_H
#define SRC_SERVE_SPOOL_LIST_H

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

/* Makes it what is in a folder, sorted by names, but for hidden names and those that `skip` has. What memory does not suffice for is
 * there the next time. */
void spool_list_read(SpoolList *list, int folder, const SpoolList *skip);

/* How many jobs of it have not been given yet. */
size_t spool_list_left(const SpoolList *list);
/* Whether there are wishes that have not been looked into to the end. */
bool spool_list_has_requests(const SpoolList *list);

#endif
