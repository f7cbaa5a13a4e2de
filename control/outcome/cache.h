/* Evaluations by the exact bits of u, so that a point is simulated once. Everything is allocated at the start, but only
 * as much of it is touched as there are entries; when there is no room for another simplex, its owner empties it. */
#ifndef CONTROL_CACHE_H
#define CONTROL_CACHE_H

#include "control/control.h"

#include <stdint.h>

typedef struct CtlRecord {
  uint32_t hash;  /* of u */
  bool known;     /* the outcome has come */
  uint8_t status; /* SimStatus */
  long iterations;
} CtlRecord;

typedef struct CtlCache {
  int n, d;
  long capacity, count; /* entries */
  CtlRecord *records;   /* [capacity]; owned, as the next two */
  double *numbers;      /* [capacity][1+n+2d]: J, u, x(T), x'(T) */
  uint32_t *table;      /* [slots_at_most] open addressing in the first `slots`: entry + 1, 0 when empty */
  size_t slots;         /* a power of two, at least twice the count: a small table stays near the processor */
  size_t slots_at_most; /* likewise of the capacity */
  double *key;          /* [n] owned */
} CtlCache;

/* Room for `least` entries, and for up to 2^20 + 1 when they fit in 256 MiB. SIM_OK or SIM_NO_MEMORY (left
 * cleared). */
SimStatus ctl_cache_init(CtlCache *cache, int n, int d, long least);
void ctl_cache_clear(CtlCache *cache);
void ctl_cache_empty(CtlCache *cache);

/* The entry of control: [n]; a new one, with *added set, when there is none. -0 is the same as 0. There must be
 * room. */
long ctl_cache_entry(CtlCache *cache, const double *control, bool *added);

/* An entry of control: [n] that the next call does not find. There must be room. Before there is another that it does find, all
 * of these must be gone: the last `count` entries are dropped. */
long ctl_cache_append(CtlCache *cache, const double *control);
void ctl_cache_drop(CtlCache *cache, long count);

/* The entry of control: [n], if its outcome is known; else -1. */
long ctl_cache_find(const CtlCache *cache, const double *control);

/* Stores the outcome of an entry, and its cost. Without a v: zeros. */
void ctl_cache_store(CtlCache *cache, long entry, double J, const CtlOutcome *outcome);

/* Borrowed until the cache is emptied. x and v are meaningless unless the status is SIM_OK. */
double ctl_cache_J(const CtlCache *cache, long entry);
const double *ctl_cache_control(const CtlCache *cache, long entry); /* [n] */
const double *ctl_cache_x(const CtlCache *cache, long entry);       /* [d] */
const double *ctl_cache_v(const CtlCache *cache, long entry);       /* [d] */

#endif
