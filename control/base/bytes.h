/* SPDX-License-Identifier: BSD-2-Clause */
/* Serialisation. Each function below either writes its value or reads it, depending on the CtlBytes, so that one
 * function for each type both saves and loads it. A reader never reads beyond the end: missing values are read as
 * zeros, and `bad` is set. */
#ifndef CONTROL_BYTES_H
#define CONTROL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct CtlBytes {
  unsigned char *to;         /* destination; NULL if the bytes are only counted (`from` is NULL then, too) */
  const unsigned char *from; /* source; not NULL: values are read, not written */
  size_t done;               /* number of bytes written, read or counted so far */
  size_t left;               /* number of bytes left to read */
  bool bad;                  /* whether an invalid value has been read; writing never sets it */
} CtlBytes;

static inline void ctl_bytes_copy(CtlBytes *bytes, void *value, size_t size) {
  if (bytes->from && size > bytes->left) {
    bytes->bad = true;
    memset(value, 0, size);
    return;
  }
  if (bytes->from && size) memcpy(value, bytes->from + bytes->done, size);
  if (bytes->to && size) memcpy(bytes->to + bytes->done, value, size);
  bytes->done += size;
  bytes->left -= bytes->from ? size : 0;
}

/* Returns the value written or read. If a value read is not in least..most, `bad` is set and `least` is returned. */
static inline long ctl_bytes_integer(CtlBytes *bytes, long value, long least, long most) {
  int64_t word = value;
  ctl_bytes_copy(bytes, &word, sizeof word);
  if (!bytes->from || (word >= least && word <= most)) return (long)word;
  bytes->bad = true;
  return least;
}

static inline void ctl_bytes_numbers(CtlBytes *bytes, double *values, size_t count) {
  ctl_bytes_copy(bytes, values, count * sizeof *values);
}

#define CTL_COUNT_MAX (1L << 53) /* saved counts are limited to this value, far from overflow */

/* Writes or reads a text with fewer than CTL_WORD_SIZE characters. */
enum { CTL_WORD_SIZE = 64 };
static inline void ctl_bytes_word(CtlBytes *bytes, char word[CTL_WORD_SIZE]) {
  size_t length = (size_t)ctl_bytes_integer(bytes, (long)strlen(word), 0, CTL_WORD_SIZE - 1);
  ctl_bytes_copy(bytes, word, length);
  word[length] = '\0';
}

#endif
