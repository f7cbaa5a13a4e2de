/* Values one after another as bytes, and back. Each function below writes its value or reads it, as the CtlBytes say: so
 * one function of a type both saves and loads it. A reader never reads past its end: what is missing reads as zeros and
 * marks it bad. */
#ifndef CONTROL_BYTES_H
#define CONTROL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct CtlBytes {
  unsigned char *to;         /* NULL, and from as well: only counts */
  const unsigned char *from; /* other than NULL: reads */
  size_t done;               /* bytes so far */
  size_t left;               /* to read */
  bool bad;                  /* what was read is not what it should be; written bytes never are */
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

/* The value written, or read. One read that is not in least..most is bad, and reads as least. */
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

#define CTL_COUNT_MAX (1L << 53) /* of saved counts: far from overflow */

/* A text, shorter than CTL_WORD_SIZE, that is written, or read. */
enum { CTL_WORD_SIZE = 64 };
static inline void ctl_bytes_word(CtlBytes *bytes, char word[CTL_WORD_SIZE]) {
  size_t length = (size_t)ctl_bytes_integer(bytes, (long)strlen(word), 0, CTL_WORD_SIZE - 1);
  ctl_bytes_copy(bytes, word, length);
  word[length] = '\0';
}

#endif
