/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash of the bytes of a problem. */
#ifndef SIM_SETUP_HASH_H
#define SIM_SETUP_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_word(uint64_t hash, uint64_t word) {
  static const uint64_t ODD = 0x9e3779b97f4a7c15u; /* the integer 2^64 over the golden ratio, which is odd */
  hash = (hash ^ word) * ODD;
  return hash ^ hash >> 32;
}

/* Returns the hash of some bytes that follow others. hash: the hash of the bytes before. Blocks of four words are
 * hashed by four streams, because the processor then computes four products at a time. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
  enum { STREAMS = 4 };
  const char *from = bytes;
  uint64_t word, block[STREAMS], stream[STREAMS] = {hash, 1, 2, 3};
  size_t blocks = size / sizeof block;
  for (size_t k = 0; k < blocks; k++) {
    memcpy(block, from + k * sizeof block, sizeof block);
    for (int i = 0; i < STREAMS; i++) stream[i] = hash_word(stream[i], block[i]);
  }
  for (int i = 1; i < STREAMS && blocks; i++) stream[0] = hash_word(stream[0], stream[i]);
  hash = stream[0];
  from += blocks * sizeof block;
  size -= blocks * sizeof block;
  for (; size >= sizeof word; size -= sizeof word, from += sizeof word) {
    memcpy(&word, from, sizeof word); /* the constant size lets the compiler copy without a call */
    hash = hash_word(hash, word);
  }
  if (!size) return hash;
  word = size;
  memcpy(&word, from, size);
  return hash_word(hash, word);
}

#endif
