/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes one allocation of the libraries fail. The linker replaces malloc, calloc, realloc and free (--wrap). */
#ifndef TESTS_NO_MEMORY_H
#define TESTS_NO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

static _Atomic long no_memory_left;  /* number of allocations until one fails, including that one; 0: none fails */
static _Atomic long no_memory_owned; /* number of blocks that are allocated and not yet freed */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *block);

/* Counts a block before it is allocated. Returns false if the allocation must fail. */
static inline bool no_memory_gives(void) {
  if (no_memory_left > 0 && --no_memory_left == 0) return false;
  no_memory_owned++;
  return true;
}

void *__wrap_malloc(size_t size) { return no_memory_gives() ? __real_malloc(size) : NULL; }
void *__wrap_calloc(size_t n, size_t size) { return no_memory_gives() ? __real_calloc(n, size) : NULL; }
void *__wrap_realloc(void *old, size_t size) {
  if (!no_memory_gives()) return NULL;
  no_memory_owned -= old != NULL;
  return __real_realloc(old, size);
}
void __wrap_free(void *block) {
  no_memory_owned -= block != NULL;
  __real_free(block);
}

/* Calls attempt again and again, with allocation k = 1, 2, .. failing, until it makes fewer. attempt must free all that
 * it allocates. Returns the number of allocations that failed. */
static inline long no_memory_each(void (*attempt)(void *context, long k), void *context) {
  for (long k = 1;; k++) {
    long owned = no_memory_owned;
    no_memory_left = k;
    attempt(context, k);
    bool failed = no_memory_left == 0;
    no_memory_left = 0;
    if (no_memory_owned != owned) fail_msg("allocation %ld: %ld blocks are lost", k, no_memory_owned - owned);
    if (!failed) return k - 1;
  }
}

/* Returns whether the failing allocation was reached. */
static inline bool no_memory_failed(void) { return no_memory_left == 0; }

#endif
