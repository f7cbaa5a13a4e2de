/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pds/template_store.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct Entry {
  CtlTemplate template;
  int users;
  struct Entry *next;
} Entry;

static Entry *entries; /* list of templates, the most recently taken or returned first; all threads share it */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Entry *detach_entry(Entry **link) {
  Entry *entry = *link;
  *link = entry->next;
  return entry;
}

static void attach_entry(Entry *entry) {
  entry->next = entries;
  entries = entry;
}

static void destroy_entry(Entry *entry) {
  ctl_template_clear(&entry->template);
  free(entry);
}

static const CtlTemplate *take_entry(int n, long size) {
  Entry **link = &entries;
  while (*link && ((*link)->template.n != n || (*link)->template.size != size)) link = &(*link)->next;
  Entry *entry = *link ? detach_entry(link) : calloc(1, sizeof *entry);
  if (!entry) return NULL;
  if (!entry->template.size && ctl_template_init(&entry->template, n, size) != SIM_OK) {
    free(entry);
    return NULL;
  }
  entry->users++;
  attach_entry(entry);
  return &entry->template;
}

const CtlTemplate *ctl_template_take(int n, long size) {
  pthread_mutex_lock(&lock);
  const CtlTemplate *template = take_entry(n, size);
  pthread_mutex_unlock(&lock);
  return template;
}

static void give_entry(const CtlTemplate *template) {
  Entry **link = &entries;
  size_t kept = 0;
  while (&(*link)->template != template) link = &(*link)->next;
  Entry *given = detach_entry(link);
  given->users--;
  attach_entry(given);
  for (link = &entries; *link;) {
    size_t bytes = (*link)->users ? 0 : ctl_template_bytes((*link)->template.n, (*link)->template.size);
    kept += bytes;
    if (bytes && kept > CTL_TEMPLATE_KEPT)
      destroy_entry(detach_entry(link));
    else
      link = &(*link)->next;
  }
}

void ctl_template_give(const CtlTemplate *template) {
  if (!template) return;
  pthread_mutex_lock(&lock);
  give_entry(template);
  pthread_mutex_unlock(&lock);
}
