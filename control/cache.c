#include "control/cache.h"

#include "control/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_AT_MOST = CTL_SCHEME_MAX + 1, BYTES_WANTED = 256 << 20 };

static size_t row(const CtlCache *cache) { return 1 + (size_t)cache->n + 2 * (size_t)cache->d; }

static double *numbers(const CtlCache *cache, long entry) { return cache->numbers + (size_t)entry * row(cache); }

double ctl_cache_J(const CtlCache *cache, long entry) { return numbers(cache, entry)[0]; }
const double *ctl_cache_u(const CtlCache *cache, long entry) { return numbers(cache, entry) + 1; }
const double *ctl_cache_x(const CtlCache *cache, long entry) { return numbers(cache, entry) + 1 + cache->n; }
const double *ctl_cache_v(const CtlCache *cache, long entry) { return ctl_cache_x(cache, entry) + cache->d; }

SimStatus ctl_cache_init(CtlCache *cache, int n, int d, long least) {
  *cache = (CtlCache){.n = n, .d = d};
  long fit = (long)(BYTES_WANTED / (row(cache) * sizeof(double) + sizeof(CtlRecord)));
  cache->capacity = fit > ENTRIES_AT_MOST ? ENTRIES_AT_MOST : fit;
  if (cache->capacity < least) cache->capacity = least;
  cache->slots = 2;
  while (cache->slots < 2 * (size_t)cache->capacity) cache->slots *= 2;
  cache->records = malloc((size_t)cache->capacity * sizeof *cache->records);
  cache->numbers = malloc((size_t)cache->capacity * row(cache) * sizeof *cache->numbers);
  cache->table = calloc(cache->slots, sizeof *cache->table);
  if (cache->records && cache->numbers && cache->table) return SIM_OK;
  ctl_cache_clear(cache);
  return SIM_NO_MEMORY;
}

void ctl_cache_clear(CtlCache *cache) {
  free(cache->records);
  free(cache->numbers);
  free(cache->table);
  *cache = (CtlCache){0};
}

void ctl_cache_empty(CtlCache *cache) {
  memset(cache->table, 0, cache->slots * sizeof *cache->table);
  cache->count = 0;
}

long ctl_cache_entry(CtlCache *cache, const double *u, bool *added) {
  double key[CTL_CONTROLS_MAX];
  size_t bytes = (size_t)cache->n * sizeof *key;
  for (int i = 0; i < cache->n; i++) key[i] = u[i] + 0.0; /* -0 + 0 = +0 */
  size_t slot = ctl_hash(cache->n, key) & (cache->slots - 1);
  for (; cache->table[slot]; slot = (slot + 1) & (cache->slots - 1)) {
    long entry = (long)cache->table[slot] - 1;
    if (memcmp(key, ctl_cache_u(cache, entry), bytes) != 0) continue;
    *added = false;
    return entry;
  }
  assert(cache->count < cache->capacity);
  long entry = cache->count++;
  cache->table[slot] = (uint32_t)entry + 1;
  cache->records[entry] = (CtlRecord){.known = false};
  memcpy(numbers(cache, entry) + 1, key, bytes);
  *added = true;
  return entry;
}

void ctl_cache_store(CtlCache *cache, long entry, double J, const CtlOutcome *outcome) {
  double *at = numbers(cache, entry);
  cache->records[entry] = (CtlRecord){.known = true, .status = outcome->status, .iterations = outcome->iterations};
  at[0] = J;
  if (outcome->status != SIM_OK) return;
  memcpy(at + 1 + cache->n, outcome->x, (size_t)cache->d * sizeof *at);
  memcpy(at + 1 + cache->n + cache->d, outcome->v, (size_t)cache->d * sizeof *at);
}
