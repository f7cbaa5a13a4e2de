/* Cache of evaluations, keyed by the exact bits of u, so that each point is simulated once. All memory is allocated
 * at the start, but touched only as entries are added. Its owner empties it when there is no room for another
 * simplex. */
#ifndef CONTROL_CACHE_H
#define CONTROL_CACHE_H

#include "control/internal.h"

#include <stdint.h>

typedef struct CtlRecord {
  uint32_t hash;  /* hash of u */
  bool known;     /* the outcome is stored */
  uint8_t status; /* SimStatus */
  long iterations;
} CtlRecord;

typedef struct CtlCache {
  int n, d;
  long capacity, count; /* entries */
  CtlRecord *records;   /* [capacity]; owned, like the next two */
  double *numbers;      /* [capacity][1+n+2d]: J, u, x(T), x'(T) */
  uint32_t *table;      /* [slots_at_most] open addressing in the first `slots`: entry + 1, 0 if empty */
  size_t slots;         /* a power of two, at least twice the count; a small table stays in the processor's cache */
  size_t slots_at_most; /* size of the table: a power of two, at least twice the capacity */
  double *key;          /* [n] workspace; owned */
} CtlCache;

/* Allocates room for at least `least` entries, up to 2^20 + 1 if they fit in 256 MiB. SIM_OK or SIM_NO_MEMORY (left
 * cleared). */
SimStatus ctl_cache_init(CtlCache *cache, int n, int d, long least);
void ctl_cache_clear(CtlCache *cache);
void ctl_cache_empty(CtlCache *cache);

/* Returns the entry of control [n]; creates it and sets *added if there is none. -0 equals 0. There must be room. */
long ctl_cache_entry(CtlCache *cache, const double *control, bool *added);

/* Appends an entry of control [n] that lookups do not find. There must be room. Such entries must be dropped, by the
 * decrease of count, before ordinary entries are added. */
long ctl_cache_append(CtlCache *cache, const double *control);
void ctl_cache_drop(CtlCache *cache, long count);

/* Returns the entry of control [n] if its outcome is known, else -1. */
long ctl_cache_find(const CtlCache *cache, const double *control);

/* Stores the outcome of an entry and its cost. Without v: zeros. */
void ctl_cache_store(CtlCache *cache, long entry, double J, const CtlOutcome *outcome);

/* Borrowed until the cache is emptied. x and v are valid only if the status is SIM_OK. */
double ctl_cache_J(const CtlCache *cache, long entry);
const double *ctl_cache_control(const CtlCache *cache, long entry); /* [n] */
const double *ctl_cache_x(const CtlCache *cache, long entry);       /* [d] */
const double *ctl_cache_v(const CtlCache *cache, long entry);       /* [d] */

#endif
