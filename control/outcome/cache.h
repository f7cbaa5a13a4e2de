/* SPDX-License-Identifier: BSD-2-Clause */
/* A cache of evaluations. The key of an entry is the exact bits of the control u, so that each point is simulated once.
 * All memory is allocated at the start, but is only touched as entries are added. The owner of the cache empties it
 * when the points of another round would exceed its capacity. */
#ifndef CONTROL_CACHE_H
#define CONTROL_CACHE_H

#include "control/internal.h"

#include <stdint.h>

typedef struct CtlRecord {
  uint32_t hash;  /* hash of u */
  bool known;     /* whether the outcome is stored */
  uint8_t status; /* SimStatus of the outcome */
  long iterations;
} CtlRecord;

typedef struct CtlCache {
  int n, d;
  long capacity, count; /* capacity: maximum number of entries; count: present number of entries */
  CtlRecord *records;   /* [capacity] status and counts of each entry; owned, like `numbers` and `table` */
  double *numbers;      /* [capacity][1+n+2d] effort J, u, x(T), x'(T) of each entry */
  /* [slots_at_most] hash table with open addressing; the first `slots` are in use and contain an entry's index + 1, or
   * 0 if empty */
  uint32_t *table;
  /* number of slots in use, a power of two, at least twice the count; a small table stays in the processor's cache */
  size_t slots;
  size_t slots_at_most; /* size of the table, a power of two, at least twice the capacity */
  double *key;          /* [n] workspace; owned */
} CtlCache;

/* Allocates memory for at least `least` entries, and for up to 2^20 + 1 if these fit in 256 MiB. Returns SIM_OK or
 * SIM_NO_MEMORY (the cache is then cleared). */
SimStatus ctl_cache_init(CtlCache *cache, int n, int d, long least);
void ctl_cache_clear(CtlCache *cache);
void ctl_cache_empty(CtlCache *cache);

/* Returns the entry of control [n]. If there is none, it is created and *added is set. -0 equals 0. The cache must not
 * be full. */
long ctl_cache_entry(CtlCache *cache, const double *control, bool *added);

/* ctl_cache_append adds an entry of control [n] that lookups do not find. The cache must not be full. ctl_cache_drop
 * reduces the number of entries to `count`; such entries must be dropped in this way before ordinary entries are
 * added. */
long ctl_cache_append(CtlCache *cache, const double *control);
void ctl_cache_drop(CtlCache *cache, long count);

/* Returns the entry of control [n] if its outcome is known, else -1. */
long ctl_cache_find(const CtlCache *cache, const double *control);

/* Stores the outcome of an entry and its effort J. If the outcome has no v, zeros are stored. */
void ctl_cache_store(CtlCache *cache, long entry, double J, const CtlOutcome *outcome);

/* These functions return the data of an entry; arrays are borrowed until the cache is emptied. x and v are valid only
 * if the status is SIM_OK. */
double ctl_cache_J(const CtlCache *cache, long entry);
const double *ctl_cache_control(const CtlCache *cache, long entry); /* [n] */
const double *ctl_cache_x(const CtlCache *cache, long entry);       /* [d] */
const double *ctl_cache_v(const CtlCache *cache, long entry);       /* [d] */

#endif
