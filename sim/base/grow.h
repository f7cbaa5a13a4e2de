/* SPDX-License-Identifier: BSD-2-Clause */
/* Grows dynamic arrays. */
#ifndef SIM_BASE_GROW_H
#define SIM_BASE_GROW_H

#include <stdbool.h>
#include <stdlib.h>

/* Enlarges an array, if necessary, so that it can hold `more` entries beyond the `count` used ones. size: bytes of an
 * entry. Updates *array and *room, the capacity in entries. Returns false if there is no memory; then nothing is
 * changed. */
static inline bool grow_array(void **array, size_t size, size_t count, size_t more, size_t *room) {
  if (count + more <= *room) return true;
  size_t next = 2 * (count + more);
  void *larger = realloc(*array, next * size);
  if (!larger) return false;
  *array = larger;
  *room = next;
  return true;
}

#endif
