/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/outcome/cache.h"

#include "control/base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#ifndef CTL_CACHE_BYTES
/* the cache is smaller under ThreadSanitizer, where even untouched memory takes time */
#define CTL_CACHE_BYTES (256 << 20)
#endif

enum { ENTRIES_AT_MOST = CTL_SCHEME_MAX + 1, SLOTS_AT_FIRST = 4096 };

static size_t row_size(const CtlCache *cache) { return 1 + (size_t)cache->n + 2 * (size_t)cache->d; }

static double *numbers_of(const CtlCache *cache, long entry) {
  return cache->numbers + (size_t)entry * row_size(cache);
}

double ctl_cache_J(const CtlCache *cache, long entry) { return numbers_of(cache, entry)[0]; }
const double *ctl_cache_control(const CtlCache *cache, long entry) { return numbers_of(cache, entry) + 1; }
const double *ctl_cache_x(const CtlCache *cache, long entry) { return numbers_of(cache, entry) + 1 + cache->n; }
const double *ctl_cache_v(const CtlCache *cache, long entry) { return ctl_cache_x(cache, entry) + cache->d; }

SimStatus ctl_cache_init(CtlCache *cache, int n, int d, long least) {
  *cache = (CtlCache){.n = n, .d = d};
  long fit = (long)(CTL_CACHE_BYTES / (row_size(cache) * sizeof(double) + sizeof(CtlRecord)));
  cache->capacity = fit > ENTRIES_AT_MOST ? ENTRIES_AT_MOST : fit;
  if (cache->capacity < least) cache->capacity = least;
  cache->slots = cache->slots_at_most = SLOTS_AT_FIRST;
  while (cache->slots_at_most < 2 * (size_t)cache->capacity) cache->slots_at_most *= 2;
  cache->records = malloc((size_t)cache->capacity * sizeof *cache->records);
  cache->numbers = malloc((size_t)cache->capacity * row_size(cache) * sizeof *cache->numbers);
  cache->table = malloc(cache->slots_at_most * sizeof *cache->table);
  cache->key = malloc((size_t)n * sizeof *cache->key);
  if (!cache->records || !cache->numbers || !cache->table || !cache->key) {
    ctl_cache_clear(cache);
    return SIM_NO_MEMORY;
  }
  ctl_cache_empty(cache); /* clears only the slots that have been in use */
  return SIM_OK;
}

void ctl_cache_clear(CtlCache *cache) {
  free(cache->records);
  free(cache->numbers);
  free(cache->table);
  free(cache->key);
  *cache = (CtlCache){0};
}

void ctl_cache_empty(CtlCache *cache) {
  memset(cache->table, 0, cache->slots * sizeof *cache->table);
  cache->count = 0;
  cache->slots = SLOTS_AT_FIRST;
}

/* Returns the slot of the hash table for a key: the slot that contains the key, or the empty slot in which the key
 * would be stored. */
static size_t find_slot(const CtlCache *cache, const double *key, uint32_t hash) {
  size_t bytes = (size_t)cache->n * sizeof *key, slot = hash & (cache->slots - 1);
  for (; cache->table[slot]; slot = (slot + 1) & (cache->slots - 1)) {
    long entry = (long)cache->table[slot] - 1;
    if (cache->records[entry].hash == hash && !memcmp(key, ctl_cache_control(cache, entry), bytes)) break;
  }
  return slot;
}

/* Doubles the number of slots. No two entries have the same key, so keys need not be compared. */
static void widen_table(CtlCache *cache) {
  cache->slots *= 2;
  memset(cache->table, 0, cache->slots * sizeof *cache->table);
  for (long entry = 0; entry < cache->count; entry++) {
    size_t slot = cache->records[entry].hash & (cache->slots - 1);
    while (cache->table[slot]) slot = (slot + 1) & (cache->slots - 1);
    cache->table[slot] = (uint32_t)entry + 1;
  }
}

/* Computes the key by which the cache finds a control. Adding +0 turns -0 into +0, so that both have the same bits. */
static uint32_t make_key(const CtlCache *cache, const double *control) {
  for (int i = 0; i < cache->n; i++) cache->key[i] = control[i] + 0.0;
  return (uint32_t)ctl_hash(cache->n, cache->key);
}

static long append_record(CtlCache *cache, const double *key, uint32_t hash) {
  assert(cache->count < cache->capacity);
  long entry = cache->count++;
  cache->records[entry] = (CtlRecord){.hash = hash};
  memcpy(numbers_of(cache, entry) + 1, key, (size_t)cache->n * sizeof *key);
  return entry;
}

long ctl_cache_find(const CtlCache *cache, const double *control) {
  uint32_t hash = make_key(cache, control);
  long entry = (long)cache->table[find_slot(cache, cache->key, hash)] - 1;
  return entry >= 0 && cache->records[entry].known ? entry : -1;
}

long ctl_cache_entry(CtlCache *cache, const double *control, bool *added) {
  uint32_t hash = make_key(cache, control);
  if (2 * (size_t)cache->count >= cache->slots) widen_table(cache);
  size_t slot = find_slot(cache, cache->key, hash);
  *added = !cache->table[slot];
  if (!*added) return (long)cache->table[slot] - 1;
  cache->table[slot] = (uint32_t)cache->count + 1;
  return append_record(cache, cache->key, hash);
}

long ctl_cache_append(CtlCache *cache, const double *control) { return append_record(cache, control, 0); }

void ctl_cache_drop(CtlCache *cache, long count) { cache->count -= count; }

void ctl_cache_store(CtlCache *cache, long entry, double J, const CtlOutcome *outcome) {
  double *at = numbers_of(cache, entry);
  cache->records[entry] = (CtlRecord){.hash = cache->records[entry].hash,
                                      .known = true,
                                      .status = (uint8_t)outcome->status,
                                      .iterations = outcome->iterations};
  at[0] = J;
  double *x = at + 1 + cache->n, *v = x + cache->d;
  size_t size = (size_t)cache->d * sizeof *at;
  if (outcome->status != SIM_OK) {
    memset(x, 0, 2 * size); /* zeros make the bytes of a saved search independent of earlier contents of the memory */
    return;
  }
  memcpy(x, outcome->x, size);
  if (outcome->v)
    memcpy(v, outcome->v, size);
  else
    memset(v, 0, size);
}
